/* Which thread is picked. */
#include "explore/toy_test.h"

static void expect_picks(enum first_policy first, uint64_t seed, const char *expected) {
    program_of("xxx", "#", "xxx", "x");
    plan_of(".");
    x.first = first;
    x.random = (random_source){seed};
    assert_int_equal(run(), EXPLORATION_COMPLETE);
    if (expected) {
        assert_string_equal(plan.picked, expected);
    }
    assert_int_equal(strlen(plan.picked), 7);
    exploration_free(&x);
}

static void the_lowest_thread_goes_first(void **state) {
    (void)state;
    expect_picks(FIRST_LOWEST, 0, "0002223");
    program_of("");
}

/* Threads that have ended are left out, but not for longer than they have. */
static void the_lowest_thread_goes_first_again_after_going_back(void **state) {
    (void)state;
    program_of("x", "x", "x");
    plan_of("0.", "2.");
    assert_int_equal(run(), EXPLORATION_COMPLETE);
    assert_string_equal(plan.picked, "1201");
}

static void the_highest_thread_goes_first(void **state) {
    (void)state;
    expect_picks(FIRST_HIGHEST, 0, "3222000");
    program_of("");
}

static void threads_take_turns(void **state) {
    (void)state;
    expect_picks(FIRST_ROUND_ROBIN, 0, "0230202");
    program_of("");
}

static void random_picks_depend_on_the_seed_alone(void **state) {
    (void)state;
    char first[64];
    expect_picks(FIRST_RANDOM, 7, NULL);
    strcpy(first, plan.picked);
    expect_picks(FIRST_RANDOM, 7, first);
    uint32_t different = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        expect_picks(FIRST_RANDOM, seed, NULL);
        different += strcmp(plan.picked, first) != 0;
    }
    assert_true(different > 10);
    program_of("");
}

static bool only_the_last(void *context, uint32_t thread, const operation *pending) {
    assert_true(operation_enabled(pending));
    return thread == *(uint32_t *)context;
}

static void refusing_an_enabled_thread_is_remembered(void **state) {
    (void)state;
    program_of("x", "#", "x");
    exploration_synchronise(&x);
    uint32_t wanted = 2, thread = 99;
    bool refused;
    assert_true(exploration_pick(&x, only_the_last, &wanted, &thread, &refused));
    assert_int_equal(thread, 2);
    wanted = 1;
    assert_false(exploration_pick(&x, only_the_last, &wanted, &thread, &refused));
    assert_true(refused);
    program.threads[0] = program.threads[2] = "#";
    assert_false(exploration_pick(&x, only_the_last, &wanted, &thread, &refused));
    assert_false(refused);
    program.thread_count = 0;
    assert_false(exploration_pick(&x, only_the_last, &wanted, &thread, &refused));
    assert_false(refused);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(the_lowest_thread_goes_first),
        TEST(the_lowest_thread_goes_first_again_after_going_back),
        TEST(the_highest_thread_goes_first),
        TEST(threads_take_turns),
        TEST(random_picks_depend_on_the_seed_alone),
        TEST(refusing_an_enabled_thread_is_remembered),
    };
    return cmocka_run_group_tests_name("pick", tests, NULL, NULL);
}
