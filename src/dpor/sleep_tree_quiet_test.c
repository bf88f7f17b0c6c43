/* Quiet trees, at random: what is said of them without a copy is what a copy says, and a tree that
 * is covered forbids nothing that the other one does not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/random.h"
#include "core/footprints_test.h"
#include "dpor/sleep_tree.h"

/* Thread 0 has the base, a write of object 0; the others have some steps each. */
enum { THREADS = 6, STEPS = 3, OBJECTS = 3, TRIALS = 20000 };

typedef struct world {
    random_source random;
    footprint steps[THREADS][STEPS];
    execution execution;
    tree_pool pool;
} world;

static void make_steps(world *w) {
    for (uint32_t t = 0; t < THREADS; t++) {
        for (uint32_t i = 0; i < STEPS; i++) {
            uint32_t object = random_below(&w->random, OBJECTS);
            bool write = random_below(&w->random, 5) == 0;
            w->steps[t][i] = write ? writes(object) : reads(object);
        }
    }
    w->steps[0][0] = writes(0);
}

static uint32_t next_index(const world *w, uint32_t thread) {
    return execution_thread_events(&w->execution, thread);
}

/* The next step of the thread is taken. */
static tree_event take(world *w, uint32_t thread) {
    uint32_t index = next_index(w, thread);
    operation op = {.kind = OPERATION_READ, .footprint = w->steps[thread][index]};
    uint32_t position = execution_append(&w->execution, thread, CHOICE_NONE, &op);
    return (tree_event){.thread = thread,
                        .index = index,
                        .choice = CHOICE_NONE,
                        .kind = op.kind,
                        .footprint = op.footprint,
                        .clock = execution_clock(&w->execution, position)};
}

static bool is_quiet(footprint f) {
    return tree_step_is_quiet(OPERATION_ENABLED, CHOICE_NONE, f);
}

/* The tree of a race of the base with `late`, which was just taken; of the steps to come that are
 * quiet, its items are some. */
static sleep_tree *make_tree(world *w, const tree_event *late, uint32_t percent) {
    sleep_tree *t = tree_new(&w->pool, w->execution.stride);
    tree_set_base(t, &(event){.footprint = writes(0)});
    tree_add_related(t, late->thread, late->index);
    for (uint32_t p = 1; p < THREADS; p++) {
        for (uint32_t i = next_index(w, p); i < STEPS && is_quiet(w->steps[p][i]); i++) {
            if (random_below(&w->random, 100) < percent) {
                tree_add_item(t, &(event){.thread = p,
                                          .index = i,
                                          .choice = CHOICE_NONE,
                                          .footprint = w->steps[p][i]});
            }
        }
    }
    tree_add_item(t, &(event){.thread = late->thread,
                              .index = late->index,
                              .choice = CHOICE_NONE,
                              .footprint = late->footprint});
    return t;
}

/* Some thread that may read object 0 now, or THREADS. */
static uint32_t find_reader(const world *w) {
    for (uint32_t p = 1; p < THREADS; p++) {
        uint32_t index = next_index(w, p);
        if (index < STEPS && w->steps[p][index] == reads(0)) {
            return p;
        }
    }
    return THREADS;
}

/* Whatever happens from here on. The base is not taken: after it neither forbids anything. */
static uint32_t go_on(world *w, sleep_tree *covered, sleep_tree *other) {
    uint32_t hits = 0;
    for (uint32_t tries = 0; tries < 4 * THREADS * STEPS; tries++) {
        uint32_t p = 1 + random_below(&w->random, THREADS - 1);
        if (next_index(w, p) == STEPS) {
            continue;
        }
        tree_event g = take(w, p);
        bool hit = tree_update(other, &g);
        if (tree_update(covered, &g)) {
            assert_true(hit);
        }
        hits += hit;
        if (hit) {
            break;
        }
    }
    return hits;
}

/* True: the second tree covered the first one. */
static bool try_trees(world *w, uint32_t *hits) {
    uint32_t p = find_reader(w);
    if (p == THREADS) {
        return false;
    }
    tree_event late = take(w, p);
    sleep_tree *older = make_tree(w, &late, 50);
    uint32_t q = find_reader(w);
    bool covered = false;
    if (q < THREADS) {
        tree_event head = take(w, q);
        bool forbidden = tree_forbids(older, &head);
        sleep_tree *copy = tree_copy(&w->pool, older);
        assert_int_equal(tree_update(copy, &head), forbidden);
        sleep_tree *other = make_tree(w, &head, 90);
        covered = !forbidden && tree_is_covered(older, other, &head);
        if (covered) {
            *hits += go_on(w, copy, other);
        }
        tree_release(&w->pool, copy);
        tree_release(&w->pool, other);
    }
    tree_release(&w->pool, older);
    return covered;
}

static void what_is_covered_is_not_missed(void **state) {
    (void)state;
    world w = {.random = {7}};
    uint32_t covered = 0, hits = 0;
    for (uint32_t i = 0; i < TRIALS; i++) {
        execution_init(&w.execution);
        execution_reserve_threads(&w.execution, THREADS);
        make_steps(&w);
        covered += try_trees(&w, &hits);
        execution_free(&w.execution);
    }
    assert_true(covered > TRIALS / 20 && hits > TRIALS / 100);
    tree_pool_free(&w.pool);
    footprint_table_clear();
    assert_int_equal(memory_in_use(), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_covered_is_not_missed)};
    return cmocka_run_group_tests_name("sleep_tree_quiet", tests, NULL, NULL);
}
