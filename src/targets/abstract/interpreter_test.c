/* Operations: what is pending, and what their steps do. */
#include "targets/abstract/interpreter_fixture_test.h"

/* ---- memory ---- */

static void reads_and_writes(void **state) {
    (void)state;
    load("wx7 rx / ry");
    expect(0, OPERATION_WRITE, ENABLED, X, ACCESS_WRITE);
    expect(1, OPERATION_READ, ENABLED, Y, ACCESS_READ);
    take(0);
    assert_int_equal(result.value, 7);
    assert_int_equal(value(X), 7);
    expect(0, OPERATION_READ, ENABLED, X, ACCESS_READ);
    take(0);
    assert_int_equal(result.value, 7);
    assert_null(pending(0));
}

static void read_modify_write(void **state) {
    (void)state;
    load_file("shared x = 5; thread p { fetch_add(x, 2); exchange(x, 9); }");
    expect(0, OPERATION_ADD, ENABLED, X, ACCESS_READ_WRITE);
    take(0);
    assert_int_equal(result.value, 5);
    assert_int_equal(value(X), 7);
    expect(0, OPERATION_EXCHANGE, ENABLED, X, ACCESS_READ_WRITE);
    take(0);
    assert_int_equal(result.value, 7);
    assert_int_equal(value(X), 9);
}

static void compare_and_swap_is_a_read_where_it_fails(void **state) {
    (void)state;
    load("cx1 / cx2 / wx0");
    expect(0, OPERATION_CAS, ENABLED | VARIES, X, ACCESS_READ_WRITE);
    assert_int_equal(pending(0)->expected, 0);
    take(0);
    assert_int_equal(result.value, 1);
    expect(1, OPERATION_CAS, ENABLED | VARIES, X, ACCESS_READ);
    take(2);
    expect(1, OPERATION_CAS, ENABLED | VARIES, X, ACCESS_READ_WRITE);
    take(1);
    assert_int_equal(value(X), 2);
}

/* Whether an await is enabled can be seen without an event, so writes to its cell are ordered. */
static void await_waits(void **state) {
    (void)state;
    load("ix1 / wx1 / wy1");
    expect(0, OPERATION_AWAIT, VARIES, X, ACCESS_READ);
    assert_int_equal(pending(0)->expected, 1);
    expect(1, OPERATION_WRITE, ENABLED, X, ACCESS_READ_WRITE);
    expect(2, OPERATION_WRITE, ENABLED, Y, ACCESS_WRITE);
    take(1);
    expect(0, OPERATION_AWAIT, VARIES | ENABLED, X, ACCESS_READ);
    take(0);
    assert_int_equal(result.value, 1);
}

static void await_compares_in_six_ways(void **state) {
    (void)state;
    load_file(
        "shared x = -1;"
        "thread a { await(x == 0); } thread b { await(x != 0); } thread c { await(x < 0); }"
        "thread d { await(x <= -1); } thread e { await(x > 0); } thread f { await(x >= 0); }"
        "thread g { x = 1; }");
    const char *enabled[] = {"bcd", "bef"};
    for (uint32_t round = 0; round < 2; round++) {
        for (uint32_t t = 0; t < 6; t++) {
            assert_int_equal(operation_enabled(pending(t)),
                             strchr(enabled[round], "abcdef"[t]) != NULL);
        }
        if (!round) {
            take(6);
        }
    }
}

/* ---- mutexes ---- */

static void a_lock_waits_for_the_mutex(void **state) {
    (void)state;
    load("l0 u0 / l0");
    expect(0, OPERATION_LOCK, ENABLED | ACQUIRES | STAYS, 0, ACCESS_READ_WRITE);
    take(0);
    assert_true(result.acquired);
    expect(1, OPERATION_LOCK, ACQUIRES | STAYS, 0, ACCESS_READ_WRITE);
    expect(0, OPERATION_UNLOCK, ENABLED, 0, ACCESS_READ_WRITE);
    take(0);
    assert_false(result.acquired);
    expect(1, OPERATION_LOCK, ENABLED | ACQUIRES | STAYS, 0, ACCESS_READ_WRITE);
}

static void a_second_lock_by_its_owner_blocks_forever(void **state) {
    (void)state;
    load("l0 l0");
    take(0);
    expect(0, OPERATION_LOCK, ACQUIRES | STAYS, 0, ACCESS_READ_WRITE);
    assert_int_equal(ending(), ENDING_DEADLOCK);
}

static void a_trylock_never_waits(void **state) {
    (void)state;
    load("k0 / k0");
    expect(0, OPERATION_TRYLOCK, ENABLED, 0, ACCESS_READ_WRITE);
    take(0);
    assert_true(result.acquired);
    assert_int_equal(result.value, 1);
    expect(1, OPERATION_TRYLOCK, ENABLED, 0, ACCESS_READ_WRITE);
    take(1);
    assert_false(result.acquired);
    assert_int_equal(result.value, 0);
    assert_int_equal(ending(), ENDING_COMPLETE);
}

/* ---- conditions: the mutex is object 0, the condition object 1 ---- */

enum { MUTEX, CONDITION };

static void a_wait_is_three_steps(void **state) {
    (void)state;
    load("l0 W0.0 u0 / l0 g0 u0");
    take(0);
    expect(0, OPERATION_WAIT, ENABLED, CONDITION, ACCESS_READ_WRITE);
    take(0);
    expect(0, OPERATION_WAIT_UNLOCK, ENABLED, MUTEX, ACCESS_READ_WRITE);
    take(0);
    expect(0, OPERATION_RELOCK, ACQUIRES, NOTHING, 0);
    take(1);
    expect(0, OPERATION_RELOCK, ACQUIRES, NOTHING, 0);
    take_choice(1, 0);
    expect(0, OPERATION_RELOCK, ACQUIRES, MUTEX, ACCESS_READ_WRITE);
    expect_cause(0, 1, 2);
    take(1);
    expect(0, OPERATION_RELOCK, ENABLED | ACQUIRES, MUTEX, ACCESS_READ_WRITE);
    take(0);
    assert_true(result.acquired);
    expect(0, OPERATION_UNLOCK, ENABLED, MUTEX, ACCESS_READ_WRITE);
    take(0);
    assert_int_equal(ending(), ENDING_COMPLETE);
}

static void a_waiter_can_be_woken_before_it_unlocks(void **state) {
    (void)state;
    load("l0 W0.0 / g0");
    take_all("00");
    take_choice(1, 0);
    expect(0, OPERATION_WAIT_UNLOCK, ENABLED, MUTEX, ACCESS_READ_WRITE);
    take(0);
    expect(0, OPERATION_RELOCK, ENABLED | ACQUIRES, MUTEX, ACCESS_READ_WRITE);
    expect_cause(0, 1, 1);
}

static void a_signal_that_comes_too_early_is_lost(void **state) {
    (void)state;
    load("l0 W0.0 / g0");
    expect(1, OPERATION_SIGNAL, ENABLED | VARIES | WAKES, CONDITION, ACCESS_READ_WRITE);
    assert_int_equal(pending(1)->choice_count, 0);
    take_all("1000");
    expect(0, OPERATION_RELOCK, ACQUIRES, NOTHING, 0);
    assert_int_equal(ending(), ENDING_DEADLOCK);
}

static void a_signal_chooses_among_the_waiters(void **state) {
    (void)state;
    load("l0 W0.0 / g0 / l1 W0.1 / g1");
    take_all("0022");
    const operation *op = pending(1);
    assert_int_equal(op->choice_count, 2);
    assert_int_equal(operation_choice(op, 0), 0);
    assert_int_equal(operation_choice(op, 1), 2);
    assert_int_equal(pending(3)->choice_count, 0); /* another condition */
    take_all("02");
    take_choice(1, 2);
    assert_false(operation_enabled(pending(0)));
    assert_true(operation_enabled(pending(2)));
}

static void a_broadcast_wakes_all(void **state) {
    (void)state;
    load("l0 W0.0 / b0 / l1 W0.1");
    expect(1, OPERATION_BROADCAST, ENABLED | WAKES, 2, ACCESS_READ_WRITE);
    take_all("000222");
    assert_int_equal(pending(1)->choice_count, 0);
    take(1);
    assert_true(operation_enabled(pending(0)));
    assert_true(operation_enabled(pending(2)));
    expect_cause(0, 1, 1);
}

static void a_timed_waiter_may_time_out(void **state) {
    (void)state;
    load("l0 T0.0 ?wx1");
    enum { TIMED_MUTEX = 1, TIMED_CONDITION };
    take_all("000");
    expect(0, OPERATION_TIMEOUT, ENABLED, TIMED_CONDITION, ACCESS_READ_WRITE);
    take(0);
    expect(0, OPERATION_RELOCK, ENABLED | ACQUIRES, TIMED_MUTEX, ACCESS_READ_WRITE);
    assert_int_equal(pending(0)->cause_count, 0);
    take(0);
    expect(0, OPERATION_WRITE, ENABLED, X, ACCESS_WRITE); /* it timed out */
}

/* Without the signal it would not lock again but time out: the step varies. */
static void a_timed_waiter_that_is_woken_varies(void **state) {
    (void)state;
    load("l0 T0.0 ?wx1 / g0");
    enum { TIMED_MUTEX = 1 };
    take_all("000");
    take_choice(1, 0);
    expect(0, OPERATION_RELOCK, ENABLED | ACQUIRES | VARIES, TIMED_MUTEX, ACCESS_READ_WRITE);
    expect_cause(0, 1, 1);
    take(0);
    assert_null(pending(0)); /* it did not time out */
}

/* ---- threads and choices ---- */

static void a_choice_has_its_alternatives(void **state) {
    (void)state;
    load("n3 ?wx1");
    expect(0, OPERATION_CHOOSE, ENABLED, NOTHING, 0);
    assert_int_equal(pending(0)->choice_count, 3);
    take_choice(0, 2);
    assert_int_equal(result.value, 2);
    expect(0, OPERATION_WRITE, ENABLED, X, ACCESS_WRITE);
    machine->class->reset(machine);
    take_choice(0, 0);
    assert_null(pending(0));
}

static void a_spawned_thread_is_caused_by_its_creator(void **state) {
    (void)state;
    load("rx s1 / *wy1 wy2");
    assert_int_equal(machine->class->thread_count(machine), 2);
    assert_null(pending(1));
    take(0);
    expect(0, OPERATION_SPAWN, ENABLED, NOTHING, 0);
    assert_int_equal(pending(0)->object, 1);
    take(0);
    expect_cause(1, 0, 2);
    take(1);
    assert_int_equal(pending(1)->cause_count, 0);
}

static void a_join_waits_for_the_end(void **state) {
    (void)state;
    load("s1 j1 / *wx1 wx2");
    take(0);
    expect(0, OPERATION_JOIN, 0, NOTHING, 0);
    take_all("11");
    expect(0, OPERATION_JOIN, ENABLED, NOTHING, 0);
    expect_cause(0, 1, 2);
    take(0);
    assert_int_equal(ending(), ENDING_COMPLETE);
}

/* A thread without steps ends when it is spawned; what comes before its end is its birth. */
static void a_join_with_a_thread_without_steps(void **state) {
    (void)state;
    load("s1 / *!h / j1");
    expect(2, OPERATION_JOIN, 0, NOTHING, 0);
    unload();
    load_file("spawned thread q { skip; } thread p { spawn q; } thread r { join q; }");
    take(1);
    expect(2, OPERATION_JOIN, ENABLED, NOTHING, 0);
    expect_cause(2, 1, 1);
}

/* ---- atomic sections ---- */

static void assert_footprint(uint32_t thread, const memory_access *accesses, uint32_t count) {
    assert_true(pending(thread)->footprint == footprint_of(accesses, count));
}

static void a_section_is_one_step(void **state) {
    (void)state;
    load("[rx,wy1] / [wx1,ax,wy1]");
    const operation *op = pending(0);
    assert_int_equal(op->kind, OPERATION_ATOMIC);
    assert_int_equal(op->flags, ENABLED);
    const memory_access first[] = {{X, 0xff, ACCESS_READ}, {Y, 0xff, ACCESS_WRITE}};
    assert_footprint(0, first, 2);
    const memory_access second[] = {{X, 0xff, ACCESS_WRITE}, {Y, 0xff, ACCESS_WRITE}};
    assert_footprint(1, second, 2);
    take(1);
    assert_int_equal(value(X), 2);
    assert_int_equal(value(Y), 1);
    assert_null(pending(1));
}

static void a_section_with_branches_follows_the_state(void **state) {
    (void)state;
    load("[rx,?wy1,!wz1] / wx1");
    assert_int_equal(pending(0)->flags, ENABLED | VARIES);
    const memory_access without[] = {{X, 0xff, ACCESS_READ}, {Z, 0xff, ACCESS_WRITE}};
    assert_footprint(0, without, 2);
    assert_int_equal(value(Z), 0); /* it was only tried */
    take(1);
    const memory_access with[] = {{X, 0xff, ACCESS_READ}, {Y, 0xff, ACCESS_WRITE}};
    assert_footprint(0, with, 2);
    take(0);
    assert_int_equal(value(Y), 1);
    assert_int_equal(value(Z), 0);
}

static void a_section_with_an_index_or_a_cas_varies(void **state) {
    (void)state;
    load_file("shared a[3], i; thread p { atomic { local k = i; a[k] = 1; } } thread q { i = 2; }");
    assert_true(pending(0)->flags & VARIES);
    const memory_access first[] = {{0, 0xff, ACCESS_WRITE}, {3, 0xff, ACCESS_READ}};
    assert_footprint(0, first, 2);
    take(1);
    const memory_access third[] = {{2, 0xff, ACCESS_WRITE}, {3, 0xff, ACCESS_READ}};
    assert_footprint(0, third, 2);
    unload();
    load("[cx1,ry]");
    assert_true(pending(0)->flags & VARIES);
}

static void what_a_failing_section_has_written_stays(void **state) {
    (void)state;
    load_file("shared x, y;\nthread p { atomic { x = 1; assert(x == 2); y = 1; } }");
    expect_error(0, ERROR_ASSERTION, "assertion failed in thread p");
    assert_int_equal(value(0), 1);
    assert_int_equal(value(1), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(reads_and_writes),
        TEST(read_modify_write),
        TEST(compare_and_swap_is_a_read_where_it_fails),
        TEST(await_waits),
        TEST(await_compares_in_six_ways),
        TEST(a_lock_waits_for_the_mutex),
        TEST(a_second_lock_by_its_owner_blocks_forever),
        TEST(a_trylock_never_waits),
        TEST(a_wait_is_three_steps),
        TEST(a_waiter_can_be_woken_before_it_unlocks),
        TEST(a_signal_that_comes_too_early_is_lost),
        TEST(a_signal_chooses_among_the_waiters),
        TEST(a_broadcast_wakes_all),
        TEST(a_timed_waiter_may_time_out),
        TEST(a_timed_waiter_that_is_woken_varies),
        TEST(a_choice_has_its_alternatives),
        TEST(a_spawned_thread_is_caused_by_its_creator),
        TEST(a_join_waits_for_the_end),
        TEST(a_join_with_a_thread_without_steps),
        TEST(a_section_is_one_step),
        TEST(a_section_with_branches_follows_the_state),
        TEST(a_section_with_an_index_or_a_cas_varies),
        TEST(what_a_failing_section_has_written_stays),
    };
    return cmocka_run_group_tests_name("interpreter", tests, NULL, NULL);
}
