/* The program of JACM 2017, Figure 1: p writes x; q reads y, then x; r reads z, then x. */
#include "dpor/wakeup.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/footprints_test.h"

enum { P, Q, R, S };
enum { X, Y, Z };

static wakeup_forest forest;
static uint32_t root;

static int setup(void **state) {
    (void)state;
    wakeup_init(&forest);
    root = wakeup_new(&forest, 0, CHOICE_NONE, FOOTPRINT_EMPTY);
    return 0;
}

static int teardown(void **state) {
    (void)state;
    wakeup_free(&forest);
    return memory_in_use() != 0;
}

static uint32_t grow(uint32_t parent, uint32_t thread, uint32_t choice, footprint f) {
    uint32_t node = wakeup_new(&forest, thread, choice, f);
    wakeup_append(&forest, parent, node);
    return node;
}

/* Inserts a sequence of steps: it reverses a race of its last step with a step of a thread of its
 * own, which writes what the last step accesses. */
typedef struct sequence_step {
    uint32_t thread;
    uint32_t choice;
    footprint footprint;
} sequence_step;

#define STEPS(...)                        \
    (const sequence_step[]){__VA_ARGS__}, \
        sizeof((const sequence_step[]){__VA_ARGS__}) / sizeof(sequence_step)

static bool insert_below(uint32_t node, const sequence_step *steps, uint32_t count) {
    execution e;
    reversal v;
    execution_init(&e);
    reversal_init(&v);
    const sequence_step *last = &steps[count - 1];
    footprint raced = writes((uint32_t)last->footprint);
    execution_append(&e, 7, CHOICE_NONE, &(operation){.footprint = raced});
    for (uint32_t i = 0; i < count; i++) {
        execution_append(&e, steps[i].thread, steps[i].choice,
                         &(operation){.footprint = steps[i].footprint});
    }
    reversal_start(&v, &e);
    reversal_open(&v, 0);
    assert_int_equal(v.events.count, count - 1);
    reversal_set_last(&v, last->thread, last->choice, &(operation){.footprint = last->footprint});
    bool grown = wakeup_insert(&forest, node, &v);
    wakeup_check(&forest, node);
    reversal_free(&v);
    execution_free(&e);
    return grown;
}

#define insert(...) insert_below(root, STEPS(__VA_ARGS__))

/* ---- the tree as text: children in order, "q(qs)" for q with the children q and s ---- */

static void print(uint32_t node, char *text) {
    uint32_t child = wakeup_at(&forest, node)->first_child;
    for (; child != WAKEUP_NONE; child = wakeup_at(&forest, child)->next_sibling) {
        const wakeup_node *c = wakeup_at(&forest, child);
        size_t length = strlen(text);
        text[length++] = "pqrs"[c->thread];
        if (c->choice != CHOICE_NONE) {
            text[length++] = (char)('0' + c->choice);
        }
        text[length] = '\0';
        if (c->first_child != WAKEUP_NONE) {
            strcat(text, "(");
            print(child, text);
            strcat(text, ")");
        }
    }
}

static void expect_tree(const char *expected) {
    char text[128] = "";
    print(root, text);
    assert_string_equal(text, expected);
}

#define STEP(thread, footprint) \
    { thread, CHOICE_NONE, footprint }

/* ---- insertion ---- */

static void an_empty_tree_takes_the_whole_sequence(void **state) {
    (void)state;
    assert_true(insert(STEP(Q, reads(Y)), STEP(R, reads(Z)), STEP(Q, reads(X))));
    expect_tree("q(r(q))");
}

/* Section 6.2: p is a leaf; q.q is added after it; r.r is covered by q.q. */
static void the_illustration_of_the_paper(void **state) {
    (void)state;
    grow(root, P, CHOICE_NONE, writes(X));
    assert_true(insert(STEP(Q, reads(Y)), STEP(Q, reads(X))));
    expect_tree("pq(q)");
    assert_false(insert(STEP(R, reads(Z)), STEP(R, reads(X))));
    expect_tree("pq(q)");
}

static void a_sequence_is_absorbed_by_an_equivalent_leaf(void **state) {
    (void)state;
    assert_true(insert(STEP(Q, reads(Y)), STEP(R, reads(Z)), STEP(S, reads(X))));
    assert_false(insert(STEP(R, reads(Z)), STEP(Q, reads(Y)), STEP(S, reads(X))));
    expect_tree("q(r(s))");
}

static void a_shorter_sequence_is_covered(void **state) {
    (void)state;
    assert_true(insert(STEP(Q, reads(Y)), STEP(R, writes(Z)), STEP(S, reads(X))));
    assert_false(insert(STEP(Q, reads(Y))));
    expect_tree("q(r(s))");
}

/* A leaf that is a prefix covers the sequence: what follows it is found when it is explored. */
static void a_leaf_that_is_a_prefix_covers(void **state) {
    (void)state;
    assert_true(insert(STEP(Q, reads(X))));
    assert_false(insert(STEP(Q, reads(X)), STEP(R, reads(Z))));
    expect_tree("q");
}

static void a_new_branch_starts_where_the_tree_ends_to_agree(void **state) {
    (void)state;
    assert_true(insert(STEP(Q, reads(Y)), STEP(R, reads(X))));
    assert_true(insert(STEP(Q, reads(Y)), STEP(S, writes(X))));
    expect_tree("q(rs)");
}

static void children_keep_the_order_of_their_coming(void **state) {
    (void)state;
    assert_true(insert(STEP(S, writes(X))));
    assert_true(insert(STEP(P, writes(X))));
    assert_true(insert(STEP(R, reads(X))));
    expect_tree("spr");
}

/* The first child, in order, that is a weak initial is followed; the rest is what is left. */
static void the_first_weak_initial_is_followed(void **state) {
    (void)state;
    grow(grow(root, P, CHOICE_NONE, writes(Y)), P, CHOICE_NONE, writes(Z));
    assert_true(insert(STEP(S, reads(Z)), STEP(R, reads(X))));
    expect_tree("p(ps(r))");
}

static void alternatives_are_different_branches(void **state) {
    (void)state;
    assert_true(insert({Q, 0, FOOTPRINT_EMPTY}, STEP(R, reads(X))));
    assert_true(insert({Q, 1, FOOTPRINT_EMPTY}, STEP(R, reads(X))));
    assert_false(insert({Q, 0, FOOTPRINT_EMPTY}, STEP(R, reads(X))));
    expect_tree("q0(r)q1(r)");
}

static void insertion_can_start_at_an_inner_node(void **state) {
    (void)state;
    uint32_t inner = grow(root, P, CHOICE_NONE, reads(Y));
    assert_true(insert_below(inner, STEPS(STEP(Q, reads(X)))));
    expect_tree("p(q)");
}

/* ---- dropping ---- */

static void the_first_child_is_dropped_first(void **state) {
    (void)state;
    grow(root, P, CHOICE_NONE, FOOTPRINT_EMPTY);
    grow(root, Q, CHOICE_NONE, FOOTPRINT_EMPTY);
    wakeup_drop_first(&forest, root);
    expect_tree("q");
    wakeup_check(&forest, root);
    wakeup_drop_first(&forest, root);
    expect_tree("");
    wakeup_check(&forest, root);
    grow(root, R, CHOICE_NONE, FOOTPRINT_EMPTY);
    expect_tree("r");
}

static void dropped_nodes_are_used_again(void **state) {
    (void)state;
    grow(root, P, CHOICE_NONE, FOOTPRINT_EMPTY);
    uint32_t nodes = forest.nodes.count;
    for (uint32_t i = 0; i < 100; i++) {
        wakeup_drop_first(&forest, root);
        uint32_t node = grow(root, Q, CHOICE_NONE, reads(X));
        assert_int_equal(wakeup_at(&forest, node)->first_child, WAKEUP_NONE);
    }
    assert_int_equal(forest.nodes.count, nodes);
    assert_int_equal(forest.used, 2);
    expect_tree("q");
}

static void a_whole_subtree_can_be_pruned(void **state) {
    (void)state;
    assert_true(insert(STEP(Q, reads(Y)), STEP(R, reads(X))));
    assert_true(insert(STEP(Q, reads(Y)), STEP(S, writes(X))));
    assert_true(insert(STEP(P, writes(Y)), STEP(R, reads(Z)), STEP(S, writes(X))));
    expect_tree("q(rs)p(r(s))");
    uint32_t first = wakeup_at(&forest, root)->first_child;
    wakeup_prune(&forest, first);
    expect_tree("qp(r(s))");
    wakeup_check(&forest, first);
    wakeup_prune(&forest, root);
    expect_tree("");
    wakeup_check(&forest, root);
    assert_int_equal(forest.used, 1);
    uint32_t nodes = forest.nodes.count;
    assert_true(insert(STEP(Q, reads(Y)), STEP(R, reads(X))));
    expect_tree("q(r)");
    assert_int_equal(forest.nodes.count, nodes);
}

/* ---- what must not be ---- */

static void drop_first(void) {
    wakeup_drop_first(&forest, root);
}

static void check(void) {
    wakeup_check(&forest, root);
}

static void expect_death(void (*misuse)(void)) {
    pid_t child = fork();
    if (!child) {
        fclose(stderr);
        misuse();
        _Exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 70);
}

static void only_leaves_can_be_dropped(void **state) {
    (void)state;
    expect_death(drop_first);
    grow(grow(root, P, CHOICE_NONE, FOOTPRINT_EMPTY), Q, CHOICE_NONE, FOOTPRINT_EMPTY);
    expect_death(drop_first);
}

static void equal_siblings_are_noticed(void **state) {
    (void)state;
    grow(root, P, 0, FOOTPRINT_EMPTY);
    grow(root, P, 1, FOOTPRINT_EMPTY);
    wakeup_check(&forest, root);
    grow(root, P, 0, FOOTPRINT_EMPTY);
    expect_death(check);
}

static void a_wrong_last_child_is_noticed(void **state) {
    (void)state;
    uint32_t first = grow(root, P, CHOICE_NONE, FOOTPRINT_EMPTY);
    grow(root, Q, CHOICE_NONE, FOOTPRINT_EMPTY);
    vector_at(&forest.nodes, root).last_child = first;
    expect_death(check);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(an_empty_tree_takes_the_whole_sequence),
        TEST(the_illustration_of_the_paper),
        TEST(a_sequence_is_absorbed_by_an_equivalent_leaf),
        TEST(a_shorter_sequence_is_covered),
        TEST(a_leaf_that_is_a_prefix_covers),
        TEST(a_new_branch_starts_where_the_tree_ends_to_agree),
        TEST(children_keep_the_order_of_their_coming),
        TEST(the_first_weak_initial_is_followed),
        TEST(alternatives_are_different_branches),
        TEST(insertion_can_start_at_an_inner_node),
        TEST(the_first_child_is_dropped_first),
        TEST(dropped_nodes_are_used_again),
        TEST(a_whole_subtree_can_be_pruned),
        TEST(only_leaves_can_be_dropped),
        TEST(equal_siblings_are_noticed),
        TEST(a_wrong_last_child_is_noticed),
    };
    return cmocka_run_group_tests_name("wakeup", tests, NULL, NULL);
}
