#include "dpor/race.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { P, Q, R, S };
enum { X, Y, Z, MUTEX, OTHER_MUTEX, CONDITION };

static execution e;
static position_list races;

static int setup(void **state) {
    (void)state;
    execution_init(&e);
    return 0;
}

static int teardown(void **state) {
    (void)state;
    execution_free(&e);
    vector_free(&races);
    footprint_table_clear();
    return memory_in_use() != 0;
}

/* ---- operations ---- */

static footprint on(uint32_t object, uint8_t bytes, enum access_mode mode) {
    return footprint_single((memory_access){object, bytes, (uint8_t)mode});
}

static operation reads(uint32_t object) {
    return (operation){.kind = OPERATION_READ, .footprint = on(object, 0xff, ACCESS_READ)};
}

static operation writes(uint32_t object) {
    return (operation){.kind = OPERATION_WRITE, .footprint = on(object, 0xff, ACCESS_WRITE)};
}

static operation synchronises(enum operation_kind kind, uint32_t object, uint8_t flags) {
    return (operation){.kind = (uint8_t)kind,
                       .flags = flags,
                       .object = object,
                       .footprint = on(object, 0xff, ACCESS_READ_WRITE)};
}

static operation locks(uint32_t mutex) {
    return synchronises(OPERATION_LOCK, mutex, OPERATION_ACQUIRES);
}

static uint32_t take(uint32_t thread, operation op) {
    return execution_append(&e, thread, CHOICE_NONE, &op);
}

static uint32_t lock(uint32_t thread, uint32_t mutex) {
    uint32_t position = take(thread, locks(mutex));
    vector_at(&e.events, position).acquired = true;
    return position;
}

static uint32_t unlock(uint32_t thread, uint32_t mutex) {
    return take(thread, synchronises(OPERATION_UNLOCK, mutex, 0));
}

static uint32_t trylock(uint32_t thread, uint32_t mutex, bool obtained) {
    uint32_t position = take(thread, synchronises(OPERATION_TRYLOCK, mutex, 0));
    vector_at(&e.events, position).acquired = obtained;
    return position;
}

/* ---- expectations ---- */

static void assert_races(const uint32_t *expected, uint32_t count) {
    assert_int_equal(races.count, count);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(vector_at(&races, i), expected[i]);
    }
}

#define EXPECTED(...) \
    (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t)

/* The pending step of the thread has these races; so has the event once it is taken. */
static void expect(uint32_t thread, operation op, const uint32_t *expected, uint32_t count) {
    race_find(&e, execution_length(&e), thread, &op, &races);
    assert_races(expected, count);
    uint32_t position = take(thread, op);
    take(thread, op);
    race_find(&e, position, thread, &op, &races);
    assert_races(expected, count);
    execution_truncate(&e, position);
}

#define expect_races(thread, op, ...) expect(thread, op, EXPECTED(__VA_ARGS__))
#define expect_none(thread, op)       expect(thread, op, NULL, 0)

/* ---- ordinary steps ---- */

static void conflicting_steps_race(void **state) {
    (void)state;
    uint32_t write = take(P, writes(X));
    take(P, reads(Y));
    expect_races(Q, reads(X), write);
    expect_races(Q, writes(X), write);
    expect_none(Q, reads(Y));
    expect_none(Q, writes(Z));
}

static void a_thread_does_not_race_with_itself(void **state) {
    (void)state;
    take(P, writes(X));
    expect_none(P, writes(X));
}

static void a_write_races_with_all_reads_before_it(void **state) {
    (void)state;
    uint32_t first = take(P, reads(X)), second = take(Q, reads(X));
    expect_races(R, writes(X), second, first);
}

static void an_overwritten_write_is_covered(void **state) {
    (void)state;
    take(P, writes(X));
    uint32_t second = take(Q, writes(X));
    expect_races(R, reads(X), second);
}

/* The write happens before the step through something else. */
static void a_write_that_is_before_the_previous_step_is_covered(void **state) {
    (void)state;
    take(P, writes(X));
    uint32_t flag = take(P, writes(Y));
    expect_races(Q, reads(Y), flag);
    take(Q, reads(Y));
    expect_none(Q, reads(X));
}

/* A read and the write that follows it: only the write is next to the step. */
static void an_event_before_another_race_is_covered(void **state) {
    (void)state;
    take(P, reads(X));
    uint32_t write = take(Q, writes(X));
    expect_races(R, writes(X), write);
}

static void bytes_race_on_their_own(void **state) {
    (void)state;
    uint32_t low = take(P, (operation){.footprint = on(X, 0x0f, ACCESS_WRITE)});
    uint32_t high = take(Q, (operation){.footprint = on(X, 0xf0, ACCESS_WRITE)});
    expect_races(R, reads(X), high, low);
    expect_races(R, ((operation){.footprint = on(X, 0x01, ACCESS_READ)}), low);
}

static void several_accesses_race_once_each(void **state) {
    (void)state;
    const memory_access pair[] = {{X, 0xff, ACCESS_WRITE}, {Y, 0xff, ACCESS_WRITE}};
    const operation both = {.footprint = footprint_of(pair, 2)};
    uint32_t z = take(P, writes(Z)), xy = take(Q, both);
    expect_races(R, both, xy);
    const memory_access triple[] = {
        {X, 0xff, ACCESS_READ}, {Y, 0xff, ACCESS_READ}, {Z, 0xff, ACCESS_READ}};
    expect_races(R, ((operation){.footprint = footprint_of(triple, 3)}), xy, z);
}

/* Creation is never reversed. */
static void what_causes_a_step_does_not_race_with_it(void **state) {
    (void)state;
    uint32_t write = take(P, writes(X));
    take(P, (operation){.kind = OPERATION_SPAWN});
    const cause birth[] = {{P, 2}};
    operation first = reads(X);
    expect_races(Q, first, write);
    first.causes = birth;
    first.cause_count = 1;
    expect_none(Q, first);
}

/* ---- acquisitions ---- */

static void a_lock_races_with_the_lock_not_with_the_unlock(void **state) {
    (void)state;
    uint32_t first = lock(P, MUTEX);
    expect_races(Q, locks(MUTEX), first);
    unlock(P, MUTEX);
    expect_races(Q, locks(MUTEX), first);
}

static void a_lock_races_with_the_latest_acquisition_only(void **state) {
    (void)state;
    lock(P, MUTEX);
    unlock(P, MUTEX);
    uint32_t second = lock(Q, MUTEX);
    unlock(Q, MUTEX);
    expect_races(R, locks(MUTEX), second);
}

static void a_lock_does_not_look_past_its_own_thread(void **state) {
    (void)state;
    lock(P, MUTEX);
    unlock(P, MUTEX);
    lock(Q, MUTEX);
    unlock(Q, MUTEX);
    expect_none(Q, locks(MUTEX));
}

/* l0 l1 u1 u0 / l0 l1 u0: the second thread's l1 does not race, because the first one's is before
 * its l0. Algorithm 3 as printed has no such condition. */
static void a_lock_below_another_lock_does_not_race(void **state) {
    (void)state;
    lock(P, MUTEX);
    lock(P, OTHER_MUTEX);
    unlock(P, OTHER_MUTEX);
    unlock(P, MUTEX);
    lock(Q, MUTEX);
    expect_none(Q, locks(OTHER_MUTEX));
}

static void only_a_trylock_that_got_it_is_an_acquisition(void **state) {
    (void)state;
    uint32_t first = lock(P, MUTEX);
    trylock(Q, MUTEX, false);
    expect_races(R, locks(MUTEX), first);
    unlock(P, MUTEX);
    uint32_t obtained = trylock(Q, MUTEX, true);
    expect_races(R, locks(MUTEX), obtained);
}

/* It never waits, so it races like a write: also with the unlock. */
static void a_trylock_races_with_the_unlock(void **state) {
    (void)state;
    lock(P, MUTEX);
    uint32_t release = unlock(P, MUTEX);
    expect_races(Q, synchronises(OPERATION_TRYLOCK, MUTEX, 0), release);
}

static void an_acquisition_that_touches_nothing_yet_has_no_races(void **state) {
    (void)state;
    lock(P, MUTEX);
    expect_none(
        Q, ((operation){.kind = OPERATION_RELOCK, .flags = OPERATION_ACQUIRES, .object = MUTEX}));
}

/* ---- await ---- */

static operation awaits(uint32_t object) {
    operation op = reads(object);
    op.kind = OPERATION_AWAIT;
    op.flags = OPERATION_VARIES;
    return op;
}

static void an_await_races_with_overwritten_writes_too(void **state) {
    (void)state;
    uint32_t first = take(P, writes(X));
    take(S, reads(X));
    uint32_t second = take(Q, writes(X));
    expect_races(R, awaits(X), second, first);
}

static void an_await_does_not_race_with_what_it_has_seen(void **state) {
    (void)state;
    take(P, writes(X));
    take(R, reads(X));
    uint32_t second = take(Q, writes(X));
    expect_races(R, awaits(X), second);
}

/* ---- lock again after a wait ---- */

/* q waits on the condition; p, which held the mutex afterwards, signals and unlocks. */
typedef struct waiting {
    uint32_t acquisition, signal;
    operation again;
    cause waker;
} waiting;

static void wait_and_wake(waiting *w, bool timed) {
    lock(Q, MUTEX);
    take(Q, synchronises(OPERATION_WAIT, CONDITION, 0));
    take(Q, synchronises(OPERATION_WAIT_UNLOCK, MUTEX, 0));
    w->acquisition = lock(P, MUTEX);
    w->signal = take(P, synchronises(OPERATION_SIGNAL, CONDITION, OPERATION_WAKES));
    unlock(P, MUTEX);
    w->waker = (cause){P, 2};
    w->again =
        synchronises(OPERATION_RELOCK, MUTEX, OPERATION_ACQUIRES | (timed ? OPERATION_VARIES : 0));
    w->again.causes = &w->waker;
    w->again.cause_count = 1;
}

/* The lock lies before the signal, which woke the waiter and stays before it. */
static void a_woken_waiter_does_not_race_with_its_waker(void **state) {
    (void)state;
    waiting w;
    wait_and_wake(&w, false);
    expect_none(Q, w.again);
    uint32_t later = lock(R, MUTEX);
    unlock(R, MUTEX);
    expect_races(Q, w.again, later);
}

/* It might have timed out instead: then the signal is not before it, nor is the lock. */
static void a_timed_waiter_races_with_its_waker(void **state) {
    (void)state;
    waiting w;
    wait_and_wake(&w, true);
    expect_races(Q, w.again, w.signal, w.acquisition);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(conflicting_steps_race),
        TEST(a_thread_does_not_race_with_itself),
        TEST(a_write_races_with_all_reads_before_it),
        TEST(an_overwritten_write_is_covered),
        TEST(a_write_that_is_before_the_previous_step_is_covered),
        TEST(an_event_before_another_race_is_covered),
        TEST(bytes_race_on_their_own),
        TEST(several_accesses_race_once_each),
        TEST(what_causes_a_step_does_not_race_with_it),
        TEST(a_lock_races_with_the_lock_not_with_the_unlock),
        TEST(a_lock_races_with_the_latest_acquisition_only),
        TEST(a_lock_does_not_look_past_its_own_thread),
        TEST(a_lock_below_another_lock_does_not_race),
        TEST(only_a_trylock_that_got_it_is_an_acquisition),
        TEST(a_trylock_races_with_the_unlock),
        TEST(an_acquisition_that_touches_nothing_yet_has_no_races),
        TEST(an_await_races_with_overwritten_writes_too),
        TEST(an_await_does_not_race_with_what_it_has_seen),
        TEST(a_woken_waiter_does_not_race_with_its_waker),
        TEST(a_timed_waiter_races_with_its_waker),
    };
    return cmocka_run_group_tests_name("race", tests, NULL, NULL);
}
