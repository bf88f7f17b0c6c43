/* Trees built by hand: the base is always thread B's first event, a write of x unless said
 * otherwise, and what sleeps are the events that may not come before it. */
#include "dpor/sleep_tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/footprints_test.h"

enum { B, P, Q, R, S, LATE = 9, STRIDE = 8 };
enum { X, Y, Z };

static tree_pool pool;

static int teardown(void **state) {
    (void)state;
    tree_pool_free(&pool);
    footprint_table_clear();
    return memory_in_use() != 0;
}

/* ---- building ---- */

static sleep_tree *tree_on(footprint base) {
    sleep_tree *t = tree_new(&pool, STRIDE);
    tree_set_base(t, &(event){.thread = B, .index = 0, .footprint = base});
    return t;
}

static void add_item(sleep_tree *t, uint32_t thread, footprint f) {
    tree_add_item(t, &(event){.thread = thread, .choice = CHOICE_NONE, .footprint = f});
}

/* The tree of the race of the base with the first event of a thread, which closes it. */
static sleep_tree *tree_of_race(uint32_t thread, footprint f) {
    sleep_tree *t = tree_on(writes(X));
    add_item(t, thread, f);
    tree_add_related(t, thread, 0);
    return t;
}

/* ---- events: first or second of their thread, after the first events of others ---- */

typedef struct happening {
    tree_event event;
    uint32_t clock[2 * STRIDE];
} happening;

static happening happens(uint32_t thread, uint32_t index, footprint f) {
    happening h = {.event = {.thread = thread,
                             .index = index,
                             .choice = CHOICE_NONE,
                             .kind = OPERATION_READ,
                             .footprint = f}};
    h.clock[thread] = index + 1;
    return h;
}

static happening after(happening h, uint32_t thread) {
    h.clock[thread] = h.clock[thread] ? h.clock[thread] : 1;
    return h;
}

static bool update(sleep_tree *t, happening h) {
    h.event.clock = h.clock;
    return tree_update(t, &h.event);
}

static void advance(sleep_tree *t, happening h) {
    h.event.clock = h.clock;
    tree_advance(t, &h.event);
}

/* ---- heads ---- */

/* wx / rx / rx, executed in this order. The second reader's reversal may not be followed by the
 * first reader's: both before the write belongs to the first one's. */
static void an_earlier_reader_sleeps(void **state) {
    (void)state;
    sleep_tree *t = tree_on(writes(X));
    add_item(t, P, reads(X));
    add_item(t, Q, reads(X));
    tree_add_related(t, Q, 0);
    assert_true(update(t, happens(P, 0, reads(X))));
    tree_release(&pool, t);
}

static void a_later_reader_does_not(void **state) {
    (void)state;
    sleep_tree *t = tree_of_race(P, reads(X));
    assert_false(update(t, happens(Q, 0, reads(X))));
    tree_release(&pool, t);
}

static void what_follows_the_head_is_free(void **state) {
    (void)state;
    sleep_tree *t = tree_on(writes(X));
    add_item(t, P, reads(X));
    add_item(t, Q, reads(X));
    tree_add_related(t, Q, 0);
    assert_false(update(t, after(happens(P, 0, reads(X)), Q)));
    tree_release(&pool, t);
}

static void an_event_that_has_nothing_to_do_with_the_base_is_free(void **state) {
    (void)state;
    sleep_tree *t = tree_of_race(P, reads(X));
    assert_false(update(t, happens(Q, 0, reads(Y))));
    assert_false(update(t, happens(P, 0, reads(Y))));
    tree_release(&pool, t);
}

static void a_related_event_relieves_those_after_it(void **state) {
    (void)state;
    sleep_tree *t = tree_on(writes(X));
    add_item(t, P, reads(X));
    add_item(t, R, reads(X));
    tree_add_related(t, R, 0);
    assert_false(update(t, happens(Q, 0, reads(X))));
    assert_false(update(t, after(happens(P, 0, reads(X)), Q)));
    tree_release(&pool, t);
}

/* ---- the base ---- */

static void after_the_base_nothing_sleeps(void **state) {
    (void)state;
    sleep_tree *t = tree_on(writes(X));
    add_item(t, P, reads(X));
    add_item(t, Q, reads(X));
    tree_add_related(t, Q, 0);
    assert_false(update(t, happens(B, 0, writes(X))));
    assert_false(update(t, happens(P, 0, reads(X))));
    tree_release(&pool, t);
}

static void later_steps_of_the_base_thread_are_free(void **state) {
    (void)state;
    sleep_tree *t = tree_of_race(P, reads(X));
    assert_false(update(t, happens(B, 1, writes(X))));
    tree_release(&pool, t);
}

static void a_base_with_several_accesses_relates_by_each(void **state) {
    (void)state;
    const memory_access pair[] = {{X, 0xff, ACCESS_WRITE}, {Z, 0xff, ACCESS_WRITE}};
    sleep_tree *t = tree_on(footprint_of(pair, 2));
    add_item(t, P, reads(Z));
    add_item(t, Q, reads(X));
    tree_add_related(t, Q, 0);
    assert_true(update(t, happens(P, 0, reads(Z))));
    tree_release(&pool, t);
}

/* ---- items and taint ---- */

/* ry of q comes before wy of p, against the order in which the race was found: whatever follows ry
 * and reads x is an earlier reversal's. */
static void a_conflict_with_an_item_taints(void **state) {
    (void)state;
    sleep_tree *t = tree_on(writes(X));
    add_item(t, P, writes(Y));
    add_item(t, R, reads(X));
    tree_add_related(t, R, 0);
    sleep_tree *untainted = tree_copy(&pool, t);
    assert_false(update(t, happens(Q, 0, reads(Y))));
    assert_true(update(t, happens(Q, 1, reads(X))));
    assert_false(update(untainted, happens(Q, 0, reads(X))));
    tree_release(&pool, untainted);
    tree_release(&pool, t);
}

static void taint_spreads_along_happens_before(void **state) {
    (void)state;
    sleep_tree *t = tree_on(writes(X));
    add_item(t, P, writes(Y));
    tree_add_related(t, R, 0);
    assert_false(update(t, happens(Q, 0, reads(Y))));
    assert_false(update(t, after(happens(S, 0, writes(Z)), Q)));
    assert_true(update(t, after(happens(S, 1, reads(X)), Q)));
    tree_release(&pool, t);
}

static void an_item_that_happened_does_not_stop_what_follows_it(void **state) {
    (void)state;
    sleep_tree *t = tree_on(writes(X));
    add_item(t, P, writes(Y));
    tree_add_related(t, R, 0);
    assert_false(update(t, happens(P, 0, writes(Y))));
    assert_false(update(t, after(happens(Q, 0, reads(Y)), P)));
    assert_false(update(t, after(happens(Q, 1, reads(X)), P)));
    tree_release(&pool, t);
}

/* The same step with another alternative is not the item; it taints. */
static void another_alternative_conflicts_with_the_item(void **state) {
    (void)state;
    sleep_tree *t = tree_on(writes(X));
    tree_add_item(t, &(event){.thread = P, .choice = 0});
    tree_add_related(t, R, 0);
    sleep_tree *same = tree_copy(&pool, t);
    happening chooses = happens(P, 0, FOOTPRINT_EMPTY);
    chooses.event.choice = 0;
    assert_false(update(same, chooses));
    assert_false(update(same, happens(P, 1, reads(X))));
    chooses.event.choice = 1;
    assert_false(update(t, chooses));
    assert_true(update(t, happens(P, 1, reads(X))));
    tree_release(&pool, same);
    tree_release(&pool, t);
}

/* ---- parts ---- */

/* Between base and head there was a schedule, with the first event of s as its head; after it
 * came p. Only events that follow s can be p's reversal. */
static void a_head_must_come_before(void **state) {
    (void)state;
    sleep_tree *t = tree_on(writes(X));
    tree_add_part(t, S, 0, NULL);
    add_item(t, P, reads(X));
    tree_add_related(t, R, 0);
    sleep_tree *other = tree_copy(&pool, t);
    assert_false(update(t, happens(P, 0, reads(X))));
    assert_true(update(other, after(happens(P, 0, reads(X)), S)));
    tree_release(&pool, other);
    tree_release(&pool, t);
}

static sleep_tree *with_inherited(void) {
    sleep_tree *inherited = tree_on(writes(X));
    add_item(inherited, P, reads(X));
    tree_add_related(inherited, S, 0);
    sleep_tree *t = tree_on(writes(X));
    tree_add_part(t, S, 0, inherited);
    tree_add_related(t, R, 0);
    return t;
}

static void what_sleeps_in_an_inherited_tree_sleeps(void **state) {
    (void)state;
    sleep_tree *t = with_inherited();
    assert_true(update(t, happens(P, 0, reads(X))));
    assert_false(update(t, happens(Q, 0, reads(X))));
    tree_release(&pool, t);
}

/* The inherited tree forbids p's read of z, which is no matter here; but an event after it that is
 * related to the base is forbidden. */
static void events_after_an_inherited_head_sleep(void **state) {
    (void)state;
    sleep_tree *inherited = tree_on(writes(Z));
    add_item(inherited, P, reads(Z));
    tree_add_related(inherited, S, 0);
    sleep_tree *t = tree_on(writes(X));
    tree_add_part(t, S, 0, inherited);
    tree_add_related(t, R, 0);
    assert_false(update(t, happens(P, 0, reads(Z))));
    assert_true(update(t, happens(P, 1, reads(X))));
    tree_release(&pool, t);
}

/* An inherited tree lives on after its base: only what follows the base is ignored. */
static void an_inherited_tree_outlives_its_base(void **state) {
    (void)state;
    sleep_tree *inherited = tree_on(writes(Z));
    add_item(inherited, P, reads(Z));
    add_item(inherited, Q, reads(Z));
    tree_add_related(inherited, S, 0);
    advance(inherited, happens(B, 0, writes(Z)));
    sleep_tree *t = tree_on(reads(Z));
    t->base_thread = R;
    tree_add_part(t, S, 0, inherited);
    happening write_p = happens(P, 0, writes(Z)), write_q = happens(Q, 0, writes(Z));
    assert_false(update(t, after(write_q, B)));
    assert_true(update(t, write_p));
    tree_release(&pool, t);
}

/* ---- compare-and-swap and await ---- */

static happening compares(uint32_t thread, uint64_t expected, footprint now) {
    happening h = happens(thread, 0, now);
    h.event.kind = OPERATION_CAS;
    h.event.expected = expected;
    return h;
}

/* What counts is the type that the compare-and-swap would have right after the base. */
static void a_cas_has_its_type_after_the_base(void **state) {
    (void)state;
    sleep_tree *t = tree_on(reads(X));
    tree_add_value(t, X, 5);
    tree_add_value(t, X, 6); /* known already */
    tree_add_item(t, &(event){.thread = P, .choice = CHOICE_NONE, .footprint = reads(X)});
    tree_add_related(t, R, 0);
    sleep_tree *other = tree_copy(&pool, t);
    assert_false(update(t, compares(P, 6, writes(X))));
    assert_true(update(other, compares(P, 5, reads(X))));
    tree_release(&pool, other);
    tree_release(&pool, t);
}

static happening awaits(uint32_t thread, uint64_t expected) {
    happening h = happens(thread, 0, reads(X));
    h.event.kind = OPERATION_AWAIT;
    h.event.compare = OPERATION_IS_EQUAL;
    h.event.expected = expected;
    return h;
}

/* An await that could not have continued before the base does not belong before it. */
static void an_await_that_was_closed_before_the_base_is_not_related(void **state) {
    (void)state;
    sleep_tree *t = tree_on(writes(X));
    tree_add_before(t, true, X, 3);
    add_item(t, P, reads(X));
    tree_add_related(t, R, 0);
    sleep_tree *other = tree_copy(&pool, t);
    assert_false(update(t, awaits(P, 4)));
    assert_true(update(other, awaits(P, 3)));
    tree_release(&pool, other);
    tree_release(&pool, t);
}

static void an_await_passes_an_item_before_which_it_was_closed(void **state) {
    (void)state;
    sleep_tree *t = tree_on(writes(X));
    tree_add_before(t, true, X, 3);
    add_item(t, P, writes(X));
    tree_add_before(t, false, X, 7);
    tree_add_related(t, R, 0);
    sleep_tree *open = tree_on(writes(X));
    tree_add_before(open, true, X, 3);
    add_item(open, P, writes(X));
    tree_add_before(open, false, X, 3);
    tree_add_related(open, R, 0);
    assert_false(update(t, awaits(Q, 3)));
    assert_true(update(open, awaits(Q, 3)));
    tree_release(&pool, open);
    tree_release(&pool, t);
}

/* ---- more threads than there were when the tree was built ---- */

static void threads_may_appear_later(void **state) {
    (void)state;
    sleep_tree *t = tree_on(writes(X));
    add_item(t, P, writes(Y));
    add_item(t, Q, writes(Z));
    tree_add_related(t, R, 0);
    assert_false(update(t, happens(LATE, 0, reads(Y))));
    assert_true(update(t, happens(LATE, 1, reads(X))));
    assert_false(update(t, happens(LATE, 2, reads(X))));
    assert_false(update(t, happens(S, 0, reads(X))));
    tree_release(&pool, t);
}

static void threads_may_appear_later_in_an_inherited_tree(void **state) {
    (void)state;
    sleep_tree *inherited = tree_on(writes(Z));
    add_item(inherited, P, writes(Y));
    tree_add_related(inherited, S, 0);
    sleep_tree *t = tree_on(writes(X));
    tree_add_part(t, S, 0, inherited);
    tree_add_related(t, R, 0);
    assert_false(update(t, happens(LATE, 0, reads(Y))));
    assert_false(update(t, happens(LATE, 1, reads(Z))));
    assert_true(update(t, happens(LATE, 2, reads(X))));
    tree_release(&pool, t);
}

/* ---- copies and the pool ---- */

static void a_copy_goes_its_own_way(void **state) {
    (void)state;
    sleep_tree *t = with_inherited();
    sleep_tree *copy = tree_copy(&pool, t);
    assert_false(update(copy, happens(B, 0, writes(X))));
    assert_false(update(copy, happens(P, 0, reads(X))));
    assert_true(update(t, happens(P, 0, reads(X))));
    tree_release(&pool, copy);
    tree_release(&pool, t);
}

static void trees_are_used_again(void **state) {
    (void)state;
    size_t in_use = 0;
    for (uint32_t i = 0; i < 100; i++) {
        sleep_tree *t = with_inherited();
        assert_int_equal(pool.count, 2);
        assert_true(update(t, happens(P, 0, reads(X))));
        tree_release(&pool, t);
        assert_int_equal(pool.count, 0);
        in_use = i == 4 ? memory_in_use() : in_use; /* both have been in both places by then */
    }
    assert_int_equal(memory_in_use(), in_use);
}

static void a_shared_tree_lives_until_its_last_release(void **state) {
    (void)state;
    sleep_tree *t = tree_share(with_inherited());
    tree_release(&pool, t);
    assert_int_equal(pool.count, 2);
    assert_true(update(t, happens(P, 0, reads(X))));
    tree_release(&pool, t);
    assert_int_equal(pool.count, 0);
}

static void a_tree_that_is_not_released_is_noticed(void **state) {
    (void)state;
    sleep_tree *t = tree_on(writes(X));
    pid_t child = fork();
    if (!child) {
        fclose(stderr);
        tree_pool_free(&pool);
        _Exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 70);
    tree_release(&pool, t);
}

#define TEST(name) cmocka_unit_test_teardown(name, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(an_earlier_reader_sleeps),
        TEST(a_later_reader_does_not),
        TEST(what_follows_the_head_is_free),
        TEST(an_event_that_has_nothing_to_do_with_the_base_is_free),
        TEST(a_related_event_relieves_those_after_it),
        TEST(after_the_base_nothing_sleeps),
        TEST(later_steps_of_the_base_thread_are_free),
        TEST(a_base_with_several_accesses_relates_by_each),
        TEST(a_conflict_with_an_item_taints),
        TEST(taint_spreads_along_happens_before),
        TEST(an_item_that_happened_does_not_stop_what_follows_it),
        TEST(another_alternative_conflicts_with_the_item),
        TEST(a_head_must_come_before),
        TEST(what_sleeps_in_an_inherited_tree_sleeps),
        TEST(events_after_an_inherited_head_sleep),
        TEST(an_inherited_tree_outlives_its_base),
        TEST(a_cas_has_its_type_after_the_base),
        TEST(an_await_that_was_closed_before_the_base_is_not_related),
        TEST(an_await_passes_an_item_before_which_it_was_closed),
        TEST(threads_may_appear_later),
        TEST(threads_may_appear_later_in_an_inherited_tree),
        TEST(a_copy_goes_its_own_way),
        TEST(trees_are_used_again),
        TEST(a_shared_tree_lives_until_its_last_release),
        TEST(a_tree_that_is_not_released_is_noticed),
    };
    return cmocka_run_group_tests_name("sleep_tree", tests, NULL, NULL);
}
