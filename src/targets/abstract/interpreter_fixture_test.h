/* For the tests of the interpreter: one program, its steps, and what is expected of them. */
#ifndef HEDDLE_TARGETS_ABSTRACT_INTERPRETER_FIXTURE_TEST_H
#define HEDDLE_TARGETS_ABSTRACT_INTERPRETER_FIXTURE_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "targets/abstract/interpreter.h"
#include "targets/abstract/language.h"
#include "targets/abstract/oneline.h"

static program loaded;
static target *machine;
static step_result result;

/* ---- running ---- */

static inline void load(const char *line) {
    parse_error error;
    if (!oneline_parse(&loaded, line, &error)) {
        fail_msg("%s: %u: %s", line, error.column, error.message);
    }
    machine = interpreter_create(&loaded);
}

static inline void load_file(const char *text) {
    parse_error error;
    if (!language_parse(&loaded, "test.heddle", text, NULL, 0, &error)) {
        fail_msg("%u:%u: %s", error.line, error.column, error.message);
    }
    machine = interpreter_create(&loaded);
}

static inline void unload(void) {
    machine->class->destroy(machine);
    program_free(&loaded);
    footprint_table_clear();
    machine = NULL;
}

static inline int teardown(void **state) {
    (void)state;
    if (machine) {
        unload();
    }
    return memory_in_use() != 0;
}

static const operation *pending(uint32_t thread) {
    return machine->class->pending(machine, thread);
}

static inline void take_choice(uint32_t thread, uint32_t choice) {
    const operation *op = pending(thread);
    assert_non_null(op);
    assert_true(operation_enabled(op));
    machine->class->step(machine, thread, choice, &result);
}

static inline void take(uint32_t thread) {
    take_choice(thread, CHOICE_NONE);
    assert_null(result.error);
}

static inline void take_all(const char *threads) {
    for (; *threads; threads++) {
        take((uint32_t)(*threads - '0'));
    }
}

static inline uint64_t value(uint32_t object) {
    return machine->class->value(machine, object);
}

static inline enum target_ending ending(void) {
    return machine->class->ending(machine);
}

/* ---- expectations ---- */

enum { X, Y, Z, NOTHING = UINT32_MAX };

static inline void expect(uint32_t thread, enum operation_kind kind, uint32_t flags,
                          uint32_t object, enum access_mode mode) {
    const operation *op = pending(thread);
    assert_non_null(op);
    assert_string_equal(operation_word(op->kind), operation_word(kind));
    assert_int_equal(op->flags, flags);
    if (object == NOTHING) {
        assert_true(op->footprint == FOOTPRINT_EMPTY);
    } else {
        memory_access a = {object, ACCESS_ALL_BYTES, (uint8_t)mode};
        assert_int_equal(op->object, object);
        assert_true(op->footprint == footprint_single(a));
    }
}

static inline void expect_cause(uint32_t thread, uint32_t cause_thread, uint32_t events) {
    const operation *op = pending(thread);
    assert_int_equal(op->cause_count, 1);
    assert_int_equal(op->causes[0].thread, cause_thread);
    assert_int_equal(op->causes[0].events, events);
}

static inline void expect_error(uint32_t thread, enum error_kind kind, const char *message) {
    take_choice(thread, CHOICE_NONE);
    assert_non_null(result.error);
    assert_int_equal(result.error->kind, kind);
    assert_int_equal(result.error->thread, thread);
    assert_string_equal(result.error->message, message);
    assert_null(pending(thread));
}

#define ENABLED  OPERATION_ENABLED
#define ACQUIRES OPERATION_ACQUIRES
#define STAYS    OPERATION_STAYS
#define VARIES   OPERATION_VARIES
#define WAKES    OPERATION_WAKES

#define TEST(name) cmocka_unit_test_teardown(name, teardown)

#endif
