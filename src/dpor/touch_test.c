#include "dpor/touch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "core/footprints_test.h"

enum { P, Q, R };
enum { X, Y, Z };

static execution e;
static later_users map;

static void step(uint32_t thread, footprint f, uint32_t flags) {
    execution_append(&e, thread, CHOICE_NONE, &(operation){.footprint = f, .flags = flags});
}

/* Passes the events after the one at `position`; whether that one is private then. */
static bool is_private(uint32_t position) {
    touch_start(&map, &e);
    for (uint32_t i = execution_length(&e); --i > position;) {
        touch_pass(&map, execution_event(&e, i));
    }
    return touch_is_private(&map, execution_event(&e, position));
}

static void finish(void) {
    touch_free(&map);
    map = (later_users){0};
    execution_free(&e);
    footprint_table_clear();
    assert_int_equal(memory_in_use(), 0);
}

static void nobody_touches_it_later(void **state) {
    (void)state;
    execution_init(&e);
    step(Q, writes(X), 0);
    step(P, writes(X), 0);
    step(Q, writes(Y), 0);
    assert_true(is_private(1));
    assert_false(is_private(0));
    finish();
}

static void its_own_thread_does_not_count(void **state) {
    (void)state;
    execution_init(&e);
    step(P, writes(X), 0);
    step(P, reads(X), 0);
    assert_true(is_private(0));
    step(Q, reads(X), 0);
    assert_false(is_private(0));
    finish();
}

static void many_threads_touch_it(void **state) {
    (void)state;
    execution_init(&e);
    step(P, reads(X), 0);
    step(P, writes(X), 0);
    step(Q, reads(X), 0);
    step(P, writes(X), 0);
    assert_false(is_private(0));
    finish();
}

static void one_shared_object_is_enough(void **state) {
    (void)state;
    execution_init(&e);
    memory_access both[] = {{X, ACCESS_ALL_BYTES, ACCESS_WRITE},
                            {Y, ACCESS_ALL_BYTES, ACCESS_WRITE}};
    step(P, footprint_of(both, 2), 0);
    step(Q, reads(Y), 0);
    assert_false(is_private(0));
    finish();
}

static void an_access_without_bytes_touches_nothing(void **state) {
    (void)state;
    execution_init(&e);
    step(P, writes(X), 0);
    step(Q, footprint_single((memory_access){X, 0, ACCESS_READ}), 0);
    assert_true(is_private(0));
    finish();
}

static void a_step_that_wakes_others_is_never_private(void **state) {
    (void)state;
    execution_init(&e);
    step(P, writes(X), OPERATION_WAKES);
    assert_false(is_private(0));
    finish();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_touches_it_later),
        cmocka_unit_test(its_own_thread_does_not_count),
        cmocka_unit_test(many_threads_touch_it),
        cmocka_unit_test(one_shared_object_is_enough),
        cmocka_unit_test(an_access_without_bytes_touches_nothing),
        cmocka_unit_test(a_step_that_wakes_others_is_never_private),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
