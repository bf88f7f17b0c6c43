#include "cli/tally.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "report/error_bytes.h"
#include "targets/abstract/interpreter.h"
#include "targets/abstract/oneline.h"

static program loaded;
static target *giver, *taker;

static target *machine(void) {
    target *t = interpreter_create(&loaded);
    t->class->treat_accesses(t, ACCESSES_IN_PASSING);
    return t;
}

/* Two machines for the program, of which the first has learnt that accesses race: the two at the
 * start of their threads race before anybody takes a step. */
static int setup(void **state) {
    (void)state;
    parse_error error;
    assert_true(oneline_parse(&loaded, "wX1 wy1 / rX ry / wy2", &error));
    giver = machine();
    taker = machine();
    assert_true(giver->class->promote(giver));
    return 0;
}

static int teardown(void **state) {
    (void)state;
    giver->class->destroy(giver);
    taker->class->destroy(taker);
    program_free(&loaded);
    footprint_table_clear();
    return memory_in_use() != 0;
}

static void hand_over(void) {
    found_error f = {.kind = ERROR_DATA_RACE}, taken;
    bytes out = {0};
    error_encode(&f, giver, &out);
    byte_reader r = byte_reader_of(out.content.items, out.content.count);
    assert_true(error_decode(&taken, taker, &r));
    assert_true(bytes_finished(&r));
    found_error_free(&taken);
    bytes_free(&out);
}

static void carries_what_was_learnt(void **state) {
    (void)state;
    assert_true(interpreter_is_promoted(giver, 0));
    assert_false(interpreter_is_promoted(taker, 0));
    hand_over();
    assert_true(interpreter_is_promoted(taker, 0));
}

/* Else whoever takes work starts over, and the others with it. */
static void what_was_taught_is_not_learnt_again(void **state) {
    (void)state;
    hand_over();
    assert_false(taker->class->promote(taker));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(carries_what_was_learnt, setup, teardown),
        cmocka_unit_test_setup_teardown(what_was_taught_is_not_learnt_again, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
