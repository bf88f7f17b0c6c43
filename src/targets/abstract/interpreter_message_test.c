/* Messages in abstract programs: what is pending, what a step does, what is said about it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "targets/abstract/interpreter.h"
#include "targets/abstract/language.h"
#include "targets/abstract/mailbox.h"
#include "targets/abstract/oneline.h"

typedef struct fixture {
    program program;
    target *target;
} fixture;

static void open_oneline(fixture *f, const char *text) {
    parse_error error;
    assert_true(oneline_parse(&f->program, text, &error));
    f->target = interpreter_create(&f->program);
}

static void open_language(fixture *f, const char *text) {
    parse_error error;
    if (!language_parse(&f->program, "test.heddle", text, NULL, 0, &error)) {
        fail_msg("%s: %s", text, error.message);
    }
    f->target = interpreter_create(&f->program);
}

static void close_fixture(fixture *f) {
    f->target->class->destroy(f->target);
    program_free(&f->program);
    footprint_table_clear();
    assert_int_equal(memory_in_use(), 0);
}

static const operation *pending(fixture *f, uint32_t thread) {
    return f->target->class->pending(f->target, thread);
}

static step_result take(fixture *f, uint32_t thread) {
    step_result result;
    const operation *next = pending(f, thread);
    assert_non_null(next);
    assert_true(operation_enabled(next));
    f->target->class->step(f->target, thread, CHOICE_NONE, &result);
    return result;
}

static void expect_description(fixture *f, uint32_t object, const char *expected) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    f->target->class->describe_object(f->target, object, out);
    fclose(out);
    assert_string_equal(text, expected);
    free(text);
}

static bool conflict(fixture *f, uint32_t a, footprint other) {
    return footprint_conflict(pending(f, a)->footprint, other);
}

static void blocking(void **state) {
    (void)state;
    fixture f;
    open_oneline(&f, "S1.5 / M5 / S1.6");
    footprint send5 = pending(&f, 0)->footprint, send6 = pending(&f, 2)->footprint;
    assert_false(operation_enabled(pending(&f, 1)));
    expect_description(&f, pending(&f, 1)->object, "5; its mailbox is empty");
    take(&f, 2);
    assert_false(operation_enabled(pending(&f, 1)));
    expect_description(&f, pending(&f, 1)->object, "5; its mailbox holds 6 from p2");
    expect_description(&f, pending(&f, 0)->object, "5 to p1");
    take(&f, 0);
    const operation *receive = pending(&f, 1);
    assert_int_equal(receive->kind, OPERATION_RECEIVE);
    assert_false(footprint_conflict(receive->footprint, send5));
    assert_false(footprint_conflict(receive->footprint, send6));
    assert_int_equal(receive->cause_count, 1);
    assert_int_equal(receive->causes[0].thread, 0);
    assert_int_equal(receive->causes[0].events, 1);
    expect_description(&f, receive->object, "5");
    assert_int_equal(take(&f, 1).value, 5);
    assert_int_equal(f.target->class->ending(f.target), ENDING_COMPLETE);
    close_fixture(&f);
}

static void order_of_arrival(void **state) {
    (void)state;
    fixture f;
    open_oneline(&f, "S1.5 S1.6 S1.5 / M6 M M5 N");
    take(&f, 0), take(&f, 0), take(&f, 0);
    assert_int_equal(take(&f, 1).value, 6);
    assert_int_equal(take(&f, 1).value, 5);
    assert_int_equal(take(&f, 1).value, 5);
    assert_int_equal(take(&f, 1).value, 0);
    close_fixture(&f);
}

static void dependence(void **state) {
    (void)state;
    fixture f;
    open_oneline(&f, "S2.5 / S2.6 / N5 / S0.5 / N");
    footprint send5 = pending(&f, 0)->footprint, send6 = pending(&f, 1)->footprint;
    assert_true(footprint_conflict(send5, send6));
    assert_false(conflict(&f, 3, send5));
    /* Nothing there: only the message that it could have taken matters. */
    assert_true(pending(&f, 2)->flags & OPERATION_VARIES);
    assert_true(conflict(&f, 2, send5));
    assert_false(conflict(&f, 2, send6));
    assert_false(conflict(&f, 4, send5));
    /* Something there: only the send of what it takes. */
    take(&f, 0);
    assert_true(conflict(&f, 2, send5));
    assert_int_equal(pending(&f, 2)->cause_count, 0);
    /* The same numbers after a reset. */
    footprint taking = pending(&f, 2)->footprint;
    f.target->class->reset(f.target);
    assert_int_equal(pending(&f, 0)->footprint, send5);
    take(&f, 1), take(&f, 0);
    assert_int_equal(pending(&f, 2)->footprint, taking);
    close_fixture(&f);
}

static void values_and_senders(void **state) {
    (void)state;
    fixture f;
    open_language(&f,
                  "shared x, y; thread p { send(q, 1, 42); } thread r { send(q, 2, 43); }"
                  "thread q { local tag = receive(1, 2); x = value() * 100 + sender(); y = tag;"
                  "           x = receive() after 0; x = receive(7) after 0; }");
    take(&f, 1), take(&f, 0);
    assert_int_equal(take(&f, 2).value, 2);
    assert_int_equal(take(&f, 2).value, 4301);
    assert_int_equal(take(&f, 2).value, 2);
    assert_int_equal(take(&f, 2).value, 1);
    take(&f, 2);
    assert_int_equal((int64_t)take(&f, 2).value, -1);
    close_fixture(&f);
}

static void states(void **state) {
    (void)state;
    fixture f;
    char saved[8192], other[8192];
    open_oneline(&f, "S1.5 S1.6 / M5 M6");
    assert_true(f.target->class->state_size(f.target) <= sizeof saved);
    take(&f, 0), take(&f, 0), take(&f, 1);
    f.target->class->save(f.target, saved);
    take(&f, 1);
    f.target->class->restore(f.target, saved);
    assert_int_equal(take(&f, 1).value, 6);
    f.target->class->reset(f.target);
    take(&f, 0), take(&f, 0), take(&f, 1);
    f.target->class->save(f.target, other);
    assert_true(f.target->class->equal(f.target, saved, other));
    close_fixture(&f);
}

static void a_full_mailbox(void **state) {
    (void)state;
    fixture f;
    open_language(&f,
                  "thread p { while (1) { send(q, 1); } } thread q { while (1) { receive(); } }");
    for (uint32_t i = 0; i < MAILBOX_LIMIT; i++) {
        assert_null(take(&f, 0).error);
        assert_null(take(&f, 1).error);
    }
    step_result result = take(&f, 0);
    assert_non_null(result.error);
    assert_int_equal(result.error->kind, ERROR_UNFINISHED);
    assert_non_null(strstr(result.error->message, "mailbox full"));
    close_fixture(&f);
}

static void broken_tags(void **state) {
    (void)state;
    fixture f;
    open_language(&f, "shared x; thread p { receive(1, 1 / x); }");
    take(&f, 0);
    step_result result = take(&f, 0);
    assert_non_null(result.error);
    assert_int_equal(result.error->kind, ERROR_MISUSE);
    assert_non_null(strstr(result.error->message, "division by zero"));
    close_fixture(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocking),    cmocka_unit_test(order_of_arrival),
        cmocka_unit_test(dependence),  cmocka_unit_test(values_and_senders),
        cmocka_unit_test(states),      cmocka_unit_test(a_full_mailbox),
        cmocka_unit_test(broken_tags),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
