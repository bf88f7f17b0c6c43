#include "dpor/sleep.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { P, Q, R };
enum { X, Y, Z };

static footprint on(uint32_t object, enum access_mode mode) {
    return footprint_single((memory_access){object, ACCESS_ALL_BYTES, (uint8_t)mode});
}

static event taken(uint32_t thread, footprint f) {
    return (event){.thread = thread, .choice = CHOICE_NONE, .footprint = f};
}

static void add(sleep_stack *s, uint32_t thread, footprint f) {
    sleep_add(s, (sleeper){thread, CHOICE_NONE, f});
}

static void descend(sleep_stack *s, uint32_t thread, footprint f) {
    event e = taken(thread, f);
    sleep_descend(s, &e);
}

static bool asleep(const sleep_stack *s, uint32_t length, uint32_t thread) {
    return sleep_contains(s, length, thread, CHOICE_NONE);
}

static uint32_t size(const sleep_stack *s, uint32_t length) {
    return (uint32_t)(sleep_end(s, length) - sleep_begin(s, length));
}

static void finish(sleep_stack *s) {
    sleep_free(s);
    assert_int_equal(memory_in_use(), 0);
}

static void starts_empty(void **state) {
    (void)state;
    sleep_stack s;
    sleep_init(&s);
    assert_int_equal(size(&s, 0), 0);
    assert_false(asleep(&s, 0, P));
    finish(&s);
}

static void independent_steps_stay_asleep(void **state) {
    (void)state;
    sleep_stack s;
    sleep_init(&s);
    add(&s, P, on(X, ACCESS_READ));
    add(&s, Q, on(Y, ACCESS_WRITE));
    descend(&s, R, on(X, ACCESS_READ));
    assert_true(asleep(&s, 1, P));
    assert_true(asleep(&s, 1, Q));
    finish(&s);
}

static void conflicting_steps_wake(void **state) {
    (void)state;
    sleep_stack s;
    sleep_init(&s);
    add(&s, P, on(X, ACCESS_READ));
    add(&s, Q, on(Y, ACCESS_READ));
    descend(&s, R, on(X, ACCESS_WRITE));
    assert_false(asleep(&s, 1, P));
    assert_true(asleep(&s, 1, Q));
    assert_true(asleep(&s, 0, P));
    finish(&s);
}

/* The thread continues with another alternative: what slept of it is no longer its next step. */
static void steps_of_the_same_thread_leave(void **state) {
    (void)state;
    sleep_stack s;
    sleep_init(&s);
    sleep_add(&s, (sleeper){P, 0, FOOTPRINT_EMPTY});
    event other = {.thread = P, .choice = 1};
    sleep_descend(&s, &other);
    assert_int_equal(size(&s, 1), 0);
    finish(&s);
}

static void alternatives_sleep_on_their_own(void **state) {
    (void)state;
    sleep_stack s;
    sleep_init(&s);
    sleep_add(&s, (sleeper){P, 1, FOOTPRINT_EMPTY});
    assert_true(sleep_contains(&s, 0, P, 1));
    assert_false(sleep_contains(&s, 0, P, 0));
    assert_false(sleep_contains(&s, 0, P, CHOICE_NONE));
    finish(&s);
}

/* JACM 2017, section 2, "Sleep Sets": p writes x, q reads y and then x. After p has been explored,
 * it sleeps after q's first step and wakes at the second. */
static void the_example_of_the_paper(void **state) {
    (void)state;
    sleep_stack s;
    sleep_init(&s);
    descend(&s, P, on(X, ACCESS_WRITE));
    sleep_ascend(&s, 0);
    add(&s, P, on(X, ACCESS_WRITE));
    descend(&s, Q, on(Y, ACCESS_READ));
    assert_true(asleep(&s, 1, P));
    descend(&s, Q, on(X, ACCESS_READ));
    assert_false(asleep(&s, 2, P));
    finish(&s);
}

static void coming_back_restores_the_set(void **state) {
    (void)state;
    sleep_stack s;
    sleep_init(&s);
    add(&s, P, on(X, ACCESS_READ));
    descend(&s, Q, on(Y, ACCESS_READ));
    add(&s, Q, on(Z, ACCESS_READ));
    descend(&s, R, on(X, ACCESS_WRITE));
    add(&s, R, on(X, ACCESS_READ));
    sleep_ascend(&s, 1);
    assert_int_equal(size(&s, 1), 2);
    assert_true(asleep(&s, 1, P));
    assert_true(asleep(&s, 1, Q));
    sleep_ascend(&s, 0);
    assert_int_equal(size(&s, 0), 1);
    assert_true(asleep(&s, 0, P));
    finish(&s);
}

static void only_the_topmost_set_grows(void **state) {
    (void)state;
    sleep_stack s;
    sleep_init(&s);
    descend(&s, P, on(X, ACCESS_READ));
    add(&s, Q, on(Y, ACCESS_READ));
    assert_false(asleep(&s, 0, Q));
    assert_true(asleep(&s, 1, Q));
    finish(&s);
}

static void going_back_to_where_one_is_changes_nothing(void **state) {
    (void)state;
    sleep_stack s;
    sleep_init(&s);
    descend(&s, P, on(X, ACCESS_READ));
    add(&s, Q, on(Y, ACCESS_READ));
    sleep_ascend(&s, 1);
    assert_true(asleep(&s, 1, Q));
    finish(&s);
}

static void deep_prefixes_allocate_only_once(void **state) {
    (void)state;
    sleep_stack s;
    sleep_init(&s);
    add(&s, P, on(X, ACCESS_READ));
    size_t in_use = 0;
    for (uint32_t round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < 5000; i++) {
            descend(&s, Q, on(Y, ACCESS_WRITE));
        }
        assert_true(asleep(&s, 5000, P));
        assert_true(!in_use || memory_in_use() == in_use);
        in_use = memory_in_use();
        sleep_ascend(&s, 0);
    }
    finish(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts_empty),
        cmocka_unit_test(independent_steps_stay_asleep),
        cmocka_unit_test(conflicting_steps_wake),
        cmocka_unit_test(steps_of_the_same_thread_leave),
        cmocka_unit_test(alternatives_sleep_on_their_own),
        cmocka_unit_test(the_example_of_the_paper),
        cmocka_unit_test(coming_back_restores_the_set),
        cmocka_unit_test(only_the_topmost_set_grows),
        cmocka_unit_test(going_back_to_where_one_is_changes_nothing),
        cmocka_unit_test(deep_prefixes_allocate_only_once),
    };
    return cmocka_run_group_tests_name("sleep", tests, NULL, NULL);
}
