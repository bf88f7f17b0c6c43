/* Probing, and what is blocked. */
#include "explore/blocked.h"
#include "explore/toy_test.h"

/* ---- probing ---- */

static void stand_after_two_steps(void) {
    program_of("xc", "yy", "#");
    plan_of("01U");
    run();
    assert_string_equal(program.steps, "01");
}

static void a_probe_shows_what_is_pending_elsewhere(void **state) {
    (void)state;
    stand_after_two_steps();
    const step steps[] = {{1, CHOICE_NONE}, {1, CHOICE_NONE}};
    const operation *pending = exploration_probe(&x, 1, steps, 2, 0);
    assert_non_null(pending);
    assert_int_equal(pending->choice_count, 2);
    assert_string_equal(program.steps, "011");
    assert_null(exploration_probe(&x, 1, steps, 2, 1)); /* it has ended there */
}

static void the_target_comes_back_after_a_probe(void **state) {
    (void)state;
    stand_after_two_steps();
    exploration_probe(&x, 0, &(step){1, CHOICE_NONE}, 1, 0);
    assert_string_equal(program.steps, "1");
    exploration_synchronise(&x);
    assert_string_equal(program.steps, "01");
    uint32_t resets = program.resets;
    exploration_synchronise(&x);
    assert_int_equal(program.resets, resets);
    assert_int_equal(x.events, 2);
    assert_int_equal(x.replayed, 1 + 2);
}

static void a_probe_over_a_step_that_cannot_be_taken_finds_nothing(void **state) {
    (void)state;
    stand_after_two_steps();
    assert_null(exploration_probe(&x, 2, &(step){2, CHOICE_NONE}, 1, 0));
    const step too_many[] = {{1, CHOICE_NONE}, {1, CHOICE_NONE}};
    assert_null(exploration_probe(&x, 2, too_many, 2, 0));
    exploration_synchronise(&x);
    assert_string_equal(program.steps, "01");
}

static void a_probe_takes_the_alternatives_that_it_is_given(void **state) {
    (void)state;
    stand_after_two_steps();
    assert_null(exploration_probe(&x, 2, &(step){0, 6}, 1, 0));
    assert_string_equal(program.steps, "010");
}

static void events_of_the_execution_can_be_probed_again(void **state) {
    (void)state;
    program_of("xx", "yy", "c");
    plan_of("0110U");
    run();
    const uint32_t later[] = {1, 3};
    const operation *pending = exploration_probe_events(&x, 0, later, 2, 1);
    assert_non_null(pending);
    assert_string_equal(program.steps, "10");
    exploration_synchronise(&x);
    assert_string_equal(program.steps, "0110");
}

/* ---- blocked threads ---- */

static void blocked_steps_are_collected_with_their_causes(void **state) {
    (void)state;
    program_of("#", "c", "x", "y");
    exploration_synchronise(&x);
    static const cause causes[] = {{0, 1}, {1, 1}};
    program.causes = causes;
    blocked_list blocked = {0};
    blocked_collect(&blocked, &x);
    assert_int_equal(blocked.threads.count, 2); /* the others touch nothing */
    for (uint32_t i = 0; i < 2; i++) {
        const blocked_thread *b = &vector_at(&blocked.threads, i);
        assert_int_equal(b->thread, 2 + i);
        assert_int_equal((uint32_t)b->operation.footprint, i);
        assert_int_equal(b->operation.cause_count, 2);
        assert_memory_equal(b->operation.causes, causes, sizeof causes);
        assert_ptr_not_equal(b->operation.causes, causes);
    }
    blocked_free(&blocked);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_probe_shows_what_is_pending_elsewhere),
        TEST(the_target_comes_back_after_a_probe),
        TEST(a_probe_over_a_step_that_cannot_be_taken_finds_nothing),
        TEST(a_probe_takes_the_alternatives_that_it_is_given),
        TEST(events_of_the_execution_can_be_probed_again),
        TEST(blocked_steps_are_collected_with_their_causes),
    };
    return cmocka_run_group_tests_name("position", tests, NULL, NULL);
}
