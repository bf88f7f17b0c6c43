/* Executions, errors and limits. */
#include <sys/wait.h>
#include <unistd.h>

#include "explore/toy_test.h"

/* ---- executions ---- */

static void one_execution_is_run_to_its_end(void **state) {
    (void)state;
    program_of("xy", "x");
    plan_of("010M");
    assert_int_equal(run(), EXPLORATION_COMPLETE);
    assert_int_equal(counts.executed, 1);
    assert_int_equal(counts.ending, ENDING_COMPLETE);
    assert_int_equal(plan.stepped, 3);
    assert_string_equal(plan.ended, "M");
    assert_int_equal(x.events, 3);
    assert_int_equal(x.replayed, 0);
}

static void the_next_execution_replays_what_both_share(void **state) {
    (void)state;
    program_of("xx", "yy");
    plan_of("0011M", "0101M", "1100M");
    assert_int_equal(run(), EXPLORATION_COMPLETE);
    assert_int_equal(counts.executed, 3);
    assert_int_equal(x.events, 4 + 3 + 4);
    assert_int_equal(x.replayed, 1);
    assert_string_equal(program.steps, "1100");
}

static void events_tell_what_the_step_did(void **state) {
    (void)state;
    program_of("xx", "y");
    plan_of("001U");
    run();
    const event *second = execution_event(&x.execution, 1);
    assert_int_equal(second->value, 40);
    assert_false(second->acquired);
    assert_true(execution_event(&x.execution, 2)->acquired);
}

static void expect_values(uint32_t position, uint64_t before, uint64_t after) {
    uint32_t first_link = execution_event(&x.execution, position)->first_link;
    assert_int_equal(vector_at(&x.execution.values, first_link).before, before);
    assert_int_equal(vector_at(&x.execution.values, first_link).after, after);
}

static void values_are_recorded_if_they_are_wanted(void **state) {
    (void)state;
    program_of("xx", "y");
    x.records_values = true;
    plan_of("001U");
    run();
    expect_values(0, 0, 1);
    expect_values(1, 1, 2);
    expect_values(2, 0, 1);
}

static void redundant_and_pruned_are_told_and_nothing_is_not(void **state) {
    (void)state;
    program_of("xx");
    plan_of("0R", "0P", "00N", "00M");
    assert_int_equal(run(), EXPLORATION_COMPLETE);
    assert_int_equal(counts.redundant, 1);
    assert_int_equal(counts.pruned, 1);
    assert_int_equal(counts.executed, 1);
    assert_string_equal(plan.ended, "RPNM");
}

static void an_unsuited_strategy_ends_the_exploration(void **state) {
    (void)state;
    program_of("xx");
    plan_of("0U", "00M");
    assert_int_equal(run(), EXPLORATION_UNSUITED);
    assert_int_equal(counts.executed, 0);
    assert_string_equal(plan.ended, "");
}

static void a_disabled_step_is_noticed(void **state) {
    (void)state;
    program_of("#");
    plan_of("0");
    pid_t child = fork();
    if (!child) {
        fclose(stderr);
        run();
        _Exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 70);
}

/* ---- errors ---- */

static void an_error_stops_or_not_as_the_sink_says(void **state) {
    (void)state;
    program_of("x!x");
    plan_of("000M");
    assert_int_equal(run(), EXPLORATION_COMPLETE);
    assert_int_equal(counts.errors, 1);
    assert_int_equal(counts.error.kind, ERROR_CRASH);
    assert_int_equal(counts.executed, 1);
    exploration_free(&x);

    program_of("x!x");
    plan_of("000M");
    counts.stops = true;
    assert_int_equal(run(), EXPLORATION_STOPPED);
    assert_int_equal(counts.errors, 2);
    assert_int_equal(counts.executed, 1);
    assert_int_equal(execution_length(&x.execution), 2);
}

static void waiting_forever_is_a_deadlock(void **state) {
    (void)state;
    program_of("x", "#", "x#");
    plan_of("02M");
    assert_int_equal(run(), EXPLORATION_COMPLETE);
    assert_int_equal(counts.executed, 1);
    assert_int_equal(counts.ending, ENDING_DEADLOCK);
    assert_int_equal(counts.error.kind, ERROR_DEADLOCK);
    assert_int_equal(counts.error.thread, 1);
    assert_int_equal(counts.error.location, 11);
    assert_string_equal(counts.message, "deadlock: 2 threads are blocked forever");
}

static void a_deadlock_can_stop_the_exploration(void **state) {
    (void)state;
    program_of("xy", "#");
    plan_of("00M", "00M");
    counts.stops = true;
    assert_int_equal(run(), EXPLORATION_STOPPED);
    assert_int_equal(counts.executed, 1);
    assert_string_equal(counts.message, "deadlock: 1 thread is blocked forever");
}

static void errors_before_the_first_step_are_reported(void **state) {
    (void)state;
    program_of("x");
    program.start_errors = 2;
    plan_of("0M");
    assert_int_equal(run(), EXPLORATION_COMPLETE);
    assert_int_equal(counts.errors, 2);
    assert_int_equal(counts.error.thread, 1);
    assert_int_equal(counts.executed, 1);
}

static void an_error_before_the_first_step_can_stop(void **state) {
    (void)state;
    program_of("x");
    program.start_errors = 2;
    plan_of("0M");
    counts.stops = true;
    assert_int_equal(run(), EXPLORATION_STOPPED);
    assert_int_equal(counts.errors, 1);
    assert_int_equal(plan.created, 0);
}

/* ---- limits ---- */

static void long_executions_are_cut(void **state) {
    (void)state;
    program_of("xxx");
    plan_of("000M");
    x.limits.max_steps = 2;
    assert_int_equal(run(), EXPLORATION_STEP_BOUND);
    assert_int_equal(counts.cut, 1);
    assert_int_equal(counts.redundant, 0);
    assert_int_equal(counts.executed, 0);
    assert_int_equal(plan.stepped, 2);
    assert_string_equal(plan.ended, "R");
}

/* A strategy that has chosen a step may rely on it: so it is not asked for one that is not taken.
 */
static void a_step_beyond_the_bound_is_not_asked_for(void **state) {
    (void)state;
    program_of("xxx");
    plan_of("000M");
    x.limits.max_steps = 2;
    run();
    assert_int_equal(plan.chosen, 2);
}

static void an_execution_that_ends_at_the_bound_is_not_cut(void **state) {
    (void)state;
    program_of("xx", "#");
    plan_of("00M");
    x.limits.max_steps = 2;
    assert_int_equal(run(), EXPLORATION_COMPLETE);
    assert_int_equal(counts.cut, 0);
    assert_int_equal(counts.executed, 1);
}

static void the_number_of_executions_can_be_limited(void **state) {
    (void)state;
    program_of("xx");
    plan_of("00M", "0R", "00M", "00M");
    x.limits.max_executions = 2;
    assert_int_equal(run(), EXPLORATION_LIMIT);
    assert_int_equal(counts.executed, 2);
}

static void a_limit_that_is_just_reached_is_complete(void **state) {
    (void)state;
    program_of("xx");
    plan_of("00M", "00M");
    x.limits.max_executions = 2;
    assert_int_equal(run(), EXPLORATION_COMPLETE);
}

/* Something was cut, so it is not complete, whatever the other limit says. The second execution
 * ends at the bound because its step is the last of all. */
static void a_cut_is_not_forgotten_when_the_limit_is_reached(void **state) {
    (void)state;
    program_of("xx", "y");
    plan_of("00", "1M");
    x.limits.max_steps = 1;
    x.limits.max_executions = 2;
    program.one_ends_all = true;
    assert_int_equal(run(), EXPLORATION_STEP_BOUND);
    assert_int_equal(counts.cut, 1);
    assert_int_equal(counts.executed, 1);
}

static void executions_that_are_cut_count_for_the_limit(void **state) {
    (void)state;
    program_of("xx", "y");
    plan_of("00", "1M");
    x.limits.max_steps = 1;
    x.limits.max_executions = 1;
    assert_int_equal(run(), EXPLORATION_LIMIT);
    assert_int_equal(counts.cut, 1);
    assert_int_equal(counts.executed, 0);
}

static void an_interrupt_stops_after_the_step(void **state) {
    (void)state;
    static volatile sig_atomic_t interrupt = 1;
    program_of("xxx");
    plan_of("000M");
    x.limits.interrupt = &interrupt;
    assert_int_equal(run(), EXPLORATION_INTERRUPTED);
    assert_int_equal(execution_length(&x.execution), 1);
}

static const sink_class silent_class = {.executed = count_executed, .error = count_error};

static void a_sink_may_leave_functions_out(void **state) {
    (void)state;
    program_of("xx");
    plan_of("R", "00M");
    counts.base.class = &silent_class;
    x.limits.max_steps = 1;
    assert_int_equal(run(), EXPLORATION_STEP_BOUND);
    assert_int_equal(counts.redundant + counts.cut, 0);
}

static void error_words_are_those_of_the_manual(void **state) {
    (void)state;
    program_of("");
    assert_string_equal(error_word(ERROR_ASSERTION), "assertion");
    assert_string_equal(error_word(ERROR_UNSUPPORTED), "unsupported");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(one_execution_is_run_to_its_end),
        TEST(the_next_execution_replays_what_both_share),
        TEST(events_tell_what_the_step_did),
        TEST(values_are_recorded_if_they_are_wanted),
        TEST(redundant_and_pruned_are_told_and_nothing_is_not),
        TEST(an_unsuited_strategy_ends_the_exploration),
        TEST(a_disabled_step_is_noticed),
        TEST(an_error_stops_or_not_as_the_sink_says),
        TEST(waiting_forever_is_a_deadlock),
        TEST(a_deadlock_can_stop_the_exploration),
        TEST(errors_before_the_first_step_are_reported),
        TEST(an_error_before_the_first_step_can_stop),
        TEST(long_executions_are_cut),
        TEST(a_step_beyond_the_bound_is_not_asked_for),
        TEST(an_execution_that_ends_at_the_bound_is_not_cut),
        TEST(the_number_of_executions_can_be_limited),
        TEST(a_limit_that_is_just_reached_is_complete),
        TEST(a_cut_is_not_forgotten_when_the_limit_is_reached),
        TEST(executions_that_are_cut_count_for_the_limit),
        TEST(an_interrupt_stops_after_the_step),
        TEST(a_sink_may_leave_functions_out),
        TEST(error_words_are_those_of_the_manual),
    };
    return cmocka_run_group_tests_name("exploration", tests, NULL, NULL);
}
