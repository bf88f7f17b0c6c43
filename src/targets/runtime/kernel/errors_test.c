#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "targets/runtime/kernel/errors.h"

static void add(enum error_kind kind, uint32_t thread) {
    errors_add(&(program_error){.kind = kind, .thread = thread});
}

static void expect(const program_error *e, enum error_kind kind, uint32_t thread) {
    assert_non_null(e);
    assert_int_equal(e->kind, kind);
    assert_int_equal(e->thread, thread);
}

static void test_each_thread_has_a_race_and_an_error(void **state) {
    (void)state;
    errors_clear();
    assert_null(errors_first());
    add(ERROR_DATA_RACE, 1);
    add(ERROR_DATA_RACE, 1);
    add(ERROR_CRASH, 1);
    add(ERROR_ASSERTION, 1);
    add(ERROR_DATA_RACE, 2);
    add(ERROR_ASSERTION, 2);
    assert_true(errors_have(2, true) && errors_have(2, false) && !errors_have(0, true));
    const program_error *e = errors_first();
    expect(e, ERROR_CRASH, 1);
    expect(e = e->next, ERROR_ASSERTION, 2);
    expect(e = e->next, ERROR_DATA_RACE, 1);
    expect(e = e->next, ERROR_DATA_RACE, 2);
    assert_null(e->next);
}

static void test_parts_of_a_step(void **state) {
    (void)state;
    errors_clear();
    add(ERROR_DATA_RACE, 1);
    errors_hold(errors_first());
    errors_clear();
    add(ERROR_CRASH, 1);
    const program_error *e = errors_release(errors_first());
    expect(e, ERROR_CRASH, 1);
    expect(e->next, ERROR_DATA_RACE, 1);
    assert_null(e->next->next);
    errors_hold(NULL);
    errors_clear();
    assert_null(errors_release(errors_first()));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_thread_has_a_race_and_an_error),
        cmocka_unit_test(test_parts_of_a_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
