/* The programs of JACM 2017, Figures 1 and 4: p writes x; q reads y, then x; r reads z, then x. */
#include "dpor/reversal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/footprints_test.h"

enum { P, Q, R, S };
enum { X, Y, Z };

static execution e;
static reversal v;

static void take(uint32_t thread, footprint f) {
    execution_append(&e, thread, CHOICE_NONE, &(operation){.footprint = f});
}

static void open_at(uint32_t position) {
    reversal_start(&v, &e);
    reversal_open(&v, position);
}

static void set_last(uint32_t thread, footprint f) {
    reversal_set_last(&v, thread, CHOICE_NONE, &(operation){.footprint = f});
}

static enum initial initial(uint32_t thread, footprint f) {
    return reversal_initial(&v, thread, CHOICE_NONE, f);
}

/* What is left of v, as letters; the last step is in brackets. */
static void expect_left(const char *expected) {
    char left[64];
    uint32_t at = 0, position, length = 0;
    while (reversal_left(&v, &at, &position)) {
        bool last = position == POSITION_NONE;
        uint32_t thread = last ? v.last_thread : execution_event(&e, position)->thread;
        length += (uint32_t)snprintf(left + length, sizeof left - length, last ? "[%c]" : "%c",
                                     "pqrs"[thread]);
    }
    left[length] = '\0';
    assert_string_equal(left, expected);
}

static int setup(void **state) {
    (void)state;
    execution_init(&e);
    reversal_init(&v);
    return 0;
}

static int teardown(void **state) {
    (void)state;
    execution_free(&e);
    reversal_free(&v);
    footprint_table_clear();
    return memory_in_use() != 0;
}

/* E = p.q.q.r.r */
static void run_figure_1(void) {
    take(P, writes(X));
    take(Q, reads(Y));
    take(Q, reads(X));
    take(R, reads(Z));
    take(R, reads(X));
}

/* ---- notdep ---- */

static void notdep_is_what_does_not_happen_after(void **state) {
    (void)state;
    run_figure_1();
    open_at(0);
    assert_int_equal(v.events.count, 2);
    assert_int_equal(vector_at(&v.events, 0), 1);
    assert_int_equal(vector_at(&v.events, 1), 3);
    assert_int_equal(vector_at(&v.begin, Q), 0);
    assert_int_equal(vector_at(&v.end, Q), 1);
    assert_int_equal(vector_at(&v.end, P), 0);
}

static void the_first_steps_after_the_event_are_known(void **state) {
    (void)state;
    run_figure_1();
    take(R, reads(Y));
    open_at(0);
    assert_int_equal(v.after.count, 2);
    assert_int_equal(vector_at(&v.after, 0), 2);
    assert_int_equal(vector_at(&v.after, 1), 4);
}

static void what_depends_indirectly_is_left_out(void **state) {
    (void)state;
    take(P, writes(X));
    take(Q, reads(X));
    take(Q, writes(Y));
    take(R, reads(Y));
    take(S, reads(Z));
    open_at(0);
    assert_int_equal(v.events.count, 1);
    assert_int_equal(vector_at(&v.events, 0), 4);
}

/* notdep = q.r.q.s, where r reads what the first q wrote. */
static void what_is_left_out_takes_along_what_comes_after_it(void **state) {
    (void)state;
    take(P, writes(X));
    take(Q, writes(Y));
    take(R, reads(Y));
    take(Q, reads(Z));
    take(S, reads(Z));
    open_at(0);
    set_last(R, reads(X));
    expect_left("qrqs[r]");
    reversal_leave_out(&v, 2);
    assert_int_equal(vector_at(&v.end, R), 0);
    set_last(S, writes(X));
    expect_left("qqs[s]");
    reversal_leave_out(&v, 1);
    assert_int_equal(vector_at(&v.end, Q), 0);
    set_last(R, reads(X));
    expect_left("s[r]");
}

static void events_are_opened_from_right_to_left(void **state) {
    (void)state;
    run_figure_1();
    reversal_start(&v, &e);
    reversal_open(&v, 3);
    assert_int_equal(v.events.count, 0);
    assert_int_equal(vector_at(&v.begin, Q), 2);
    reversal_open(&v, 2);
    assert_int_equal(v.events.count, 2);
    assert_int_equal(vector_at(&v.begin, Q), 1);
    reversal_open(&v, 0);
    assert_int_equal(v.events.count, 2);
    assert_int_equal(vector_at(&v.begin, P), 0);
}

/* ---- initials ---- */

/* Figure 4: after E', w = q.q has the initial q and the weak initials q and r. */
static void initials_of_figure_4(void **state) {
    (void)state;
    take(P, writes(X));
    take(Q, reads(Y));
    take(Q, reads(X));
    open_at(0);
    set_last(Q, reads(X));
    expect_left("q[q]");
    assert_int_equal(initial(Q, reads(Y)), INITIAL_INSIDE);
    assert_int_equal(initial(R, reads(Z)), INITIAL_OUTSIDE);
    assert_int_equal(initial(P, writes(X)), INITIAL_NOT);
}

static void all_independent_first_steps_are_initials(void **state) {
    (void)state;
    run_figure_1();
    open_at(0);
    set_last(Q, reads(X));
    expect_left("qr[q]");
    assert_int_equal(initial(Q, reads(Y)), INITIAL_INSIDE);
    assert_int_equal(initial(R, reads(Z)), INITIAL_INSIDE);
}

static void a_step_with_a_predecessor_is_no_initial(void **state) {
    (void)state;
    take(P, writes(X));
    take(Q, writes(Y));
    take(R, reads(Y));
    take(S, reads(X));
    open_at(0);
    set_last(S, reads(X));
    expect_left("qr[s]");
    assert_int_equal(initial(R, reads(Y)), INITIAL_NOT);
    assert_int_equal(initial(S, reads(X)), INITIAL_INSIDE);
    reversal_remove(&v, Q);
    assert_int_equal(initial(R, reads(Y)), INITIAL_INSIDE);
}

/* In its new place the last step comes after the events of notdep that it conflicts with. */
static void the_last_step_has_predecessors_too(void **state) {
    (void)state;
    take(P, writes(X));
    take(Q, writes(Y));
    const memory_access accesses[] = {{X, 0xff, ACCESS_READ}, {Y, 0xff, ACCESS_READ}};
    footprint both = footprint_of(accesses, 2);
    take(R, both);
    open_at(0);
    set_last(R, both);
    expect_left("q[r]");
    assert_int_equal(initial(R, both), INITIAL_NOT);
    reversal_remove(&v, Q);
    assert_int_equal(initial(R, both), INITIAL_INSIDE);
}

static void causes_precede_the_last_step(void **state) {
    (void)state;
    take(P, writes(X));
    take(Q, FOOTPRINT_EMPTY); /* spawns r */
    const cause birth[] = {{Q, 1}};
    const operation op = {.footprint = reads(X), .causes = birth, .cause_count = 1};
    execution_append(&e, R, CHOICE_NONE, &op);
    open_at(0);
    assert_true(reversal_has_causes(&v, birth, 1));
    reversal_set_last(&v, R, CHOICE_NONE, &op);
    assert_int_equal(initial(R, reads(X)), INITIAL_NOT);
    reversal_remove(&v, Q);
    assert_int_equal(initial(R, reads(X)), INITIAL_INSIDE);
}

static void a_cause_that_is_moved_away_is_missed(void **state) {
    (void)state;
    take(Q, reads(Y));
    take(P, writes(X));
    take(Q, reads(X));
    open_at(1);
    assert_true(reversal_has_causes(&v, &(cause){Q, 1}, 1));
    assert_false(reversal_has_causes(&v, &(cause){Q, 2}, 1));
    assert_false(reversal_has_causes(&v, &(cause){P, 1}, 1));
    assert_true(reversal_has_causes(&v, NULL, 0));
}

/* A sleeping step from outside must be independent of all that is left, and only of that. */
static void outside_steps_look_at_what_is_left(void **state) {
    (void)state;
    take(P, writes(X));
    take(Q, writes(Y));
    take(R, reads(X));
    open_at(0);
    set_last(R, reads(X));
    assert_int_equal(initial(S, reads(Y)), INITIAL_NOT);
    reversal_remove(&v, Q);
    assert_int_equal(initial(S, reads(Y)), INITIAL_OUTSIDE);
    assert_int_equal(initial(S, writes(X)), INITIAL_NOT);
    reversal_remove(&v, R);
    assert_int_equal(initial(S, writes(X)), INITIAL_OUTSIDE);
}

static void the_choice_is_part_of_a_step(void **state) {
    (void)state;
    take(P, writes(X));
    execution_append(&e, Q, 1, &(operation){.choice_count = 2});
    take(R, reads(X));
    open_at(0);
    reversal_set_last(&v, R, 5, &(operation){.footprint = reads(X)});
    assert_int_equal(reversal_initial(&v, Q, 1, FOOTPRINT_EMPTY), INITIAL_INSIDE);
    assert_int_equal(reversal_initial(&v, Q, 0, FOOTPRINT_EMPTY), INITIAL_NOT);
    assert_int_equal(reversal_initial(&v, R, 5, reads(X)), INITIAL_INSIDE);
    assert_int_equal(reversal_initial(&v, R, 4, reads(X)), INITIAL_NOT);
}

/* ---- what is left ---- */

static void steps_are_removed_thread_by_thread(void **state) {
    (void)state;
    take(P, writes(X));
    take(Q, reads(Y));
    take(R, reads(Y));
    take(Q, reads(Z));
    take(Q, reads(X));
    open_at(0);
    set_last(Q, reads(X));
    expect_left("qrq[q]");
    reversal_remove(&v, Q);
    expect_left("rq[q]");
    reversal_remove(&v, R);
    expect_left("q[q]");
    reversal_remove(&v, Q);
    expect_left("[q]");
    reversal_remove(&v, Q);
    expect_left("");
}

static void another_last_step_makes_all_left_again(void **state) {
    (void)state;
    run_figure_1();
    open_at(0);
    set_last(Q, reads(X));
    reversal_remove(&v, R);
    reversal_remove(&v, Q);
    set_last(R, reads(X));
    expect_left("qr[r]");
}

static void many_threads_are_no_matter(void **state) {
    (void)state;
    take(0, writes(X));
    for (uint32_t t = 1; t < 20; t++) {
        take(t, reads(Y));
    }
    take(20, reads(X));
    open_at(0);
    set_last(20, reads(X));
    assert_int_equal(v.events.count, 19);
    for (uint32_t t = 1; t <= 20; t++) {
        assert_int_equal(initial(t, reads(Y)), INITIAL_INSIDE);
        reversal_remove(&v, t);
    }
    expect_left("");
}

static void removing_what_is_not_there_is_noticed(void **state) {
    (void)state;
    run_figure_1();
    open_at(0);
    set_last(Q, reads(X));
    pid_t child = fork();
    if (!child) {
        fclose(stderr);
        reversal_remove(&v, P);
        _Exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 70);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(notdep_is_what_does_not_happen_after),
        TEST(the_first_steps_after_the_event_are_known),
        TEST(what_depends_indirectly_is_left_out),
        TEST(what_is_left_out_takes_along_what_comes_after_it),
        TEST(events_are_opened_from_right_to_left),
        TEST(initials_of_figure_4),
        TEST(all_independent_first_steps_are_initials),
        TEST(a_step_with_a_predecessor_is_no_initial),
        TEST(the_last_step_has_predecessors_too),
        TEST(causes_precede_the_last_step),
        TEST(a_cause_that_is_moved_away_is_missed),
        TEST(outside_steps_look_at_what_is_left),
        TEST(the_choice_is_part_of_a_step),
        TEST(steps_are_removed_thread_by_thread),
        TEST(another_last_step_makes_all_left_again),
        TEST(many_threads_are_no_matter),
        TEST(removing_what_is_not_there_is_noticed),
    };
    return cmocka_run_group_tests_name("reversal", tests, NULL, NULL);
}
