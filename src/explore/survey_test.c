/* The order of picks that a survey finds. */
#include "explore/toy_test.h"

/* Continues with the execution to its end; the threads that were picked. */
static const char *picks(void) {
    static char threads[64];
    uint32_t count = 0, thread;
    bool refused;
    exploration_synchronise(&x);
    while (exploration_pick(&x, anyone, NULL, &thread, &refused)) {
        const operation *pending = exploration_pending(&x, thread);
        step_result result;
        exploration_append(&x, (step){thread, operation_choice(pending, 0)}, pending, &result);
        threads[count++] = (char)('0' + thread);
    }
    threads[count] = '\0';
    return threads;
}

static void what_conflicts_with_nothing_comes_first(void **state) {
    (void)state;
    program_of("x", "cx", "y", "cy");
    survey_make(&x);
    assert_true(survey_exists(&x.survey));
    assert_int_equal(execution_length(&x.execution), 0);
    assert_string_equal(picks(), "130123");
    exploration_free(&x);
    program_of("");
}

/* From a place where the steps before were others. */
static void the_order_is_kept_after_going_back(void **state) {
    (void)state;
    program_of("x", "cx", "y", "cy");
    survey_make(&x);
    picks();
    execution_truncate(&x.execution, 2);
    exploration_synchronise(&x);
    exploration_revive(&x);
    step_result result;
    exploration_append(&x, (step){1, CHOICE_NONE}, exploration_pending(&x, 1), &result);
    assert_string_equal(picks(), "023");
    exploration_free(&x);
    program_of("");
}

static void expect_none(const char *one, const char *other) {
    program_of(one, other);
    survey_make(&x);
    assert_false(survey_exists(&x.survey));
    assert_int_equal(execution_length(&x.execution), 0);
    exploration_free(&x);
    program_of("");
}

static void there_is_none_without_need(void **state) {
    (void)state;
    expect_none("xx", "yy");   /* nothing conflicts */
    expect_none("x", "x");     /* the lowest thread first is as good */
    expect_none("x", "cccc!"); /* an error */
}

/* Whoever is picked first, most executions have their races late: only in the first one they are
 * late with one order and early with the other. */
static void there_is_none_where_threads_meet_at_every_step(void **state) {
    (void)state;
    expect_none("xyxyxy", "xyxyxy");
    expect_none("cxcxcx", "cxcxcx");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(what_conflicts_with_nothing_comes_first),
        TEST(the_order_is_kept_after_going_back),
        TEST(there_is_none_without_need),
        TEST(there_is_none_where_threads_meet_at_every_step),
    };
    return cmocka_run_group_tests_name("survey", tests, NULL, NULL);
}
