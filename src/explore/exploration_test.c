/* The explorer between a target, a strategy and a sink that are all made for the test. */
#include "explore/exploration.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "explore/blocked.h"

/* ---- a target: threads as strings, a letter a step ----
 *
 * x, y: a write to that variable. c: a step with the alternatives 5 and 6. !: an error. #: a step
 * that is never enabled. A variable holds how often it was written. */

enum { MOST_THREADS = 4 };

typedef struct toy_target {
    target base;
    const char *threads[MOST_THREADS];
    uint32_t thread_count;
    uint32_t start_errors;
    const cause *causes; /* two, of every step */
    bool one_ends_all;   /* the first step of thread 1 ends the others */
    uint32_t resets;
    uint32_t at[MOST_THREADS];
    uint64_t values[2];
    char steps[64]; /* since the last reset: a digit for each thread that took one */
    operation pending;
    program_error error;
} toy_target;

static toy_target *toy(target *t) {
    return (toy_target *)t;
}

static void toy_reset(target *t) {
    toy_target *p = toy(t);
    p->resets++;
    memset(p->at, 0, sizeof p->at);
    memset(p->values, 0, sizeof p->values);
    p->steps[0] = '\0';
}

static const program_error *toy_start_error(target *t, uint32_t i) {
    toy_target *p = toy(t);
    p->error = (program_error){.kind = ERROR_ASSERTION, .thread = i, .message = "at the start"};
    return i < p->start_errors ? &p->error : NULL;
}

static uint32_t toy_thread_count(target *t) {
    return toy(t)->thread_count;
}

static char letter(target *t, uint32_t thread) {
    toy_target *p = toy(t);
    return p->threads[thread][p->at[thread]];
}

static const operation *toy_pending(target *t, uint32_t thread) {
    static const uint32_t choices[] = {5, 6};
    toy_target *p = toy(t);
    char what = letter(t, thread);
    if (!what || (p->one_ends_all && p->at[1])) {
        return NULL;
    }
    p->pending = (operation){.kind = OPERATION_WRITE,
                             .flags = what == '#' ? 0 : OPERATION_ENABLED,
                             .location = 10 + thread};
    if (p->causes) {
        p->pending.causes = p->causes;
        p->pending.cause_count = 2;
    }
    if (what == 'x' || what == 'y') {
        p->pending.footprint = footprint_single(
            (memory_access){(uint32_t)(what - 'x'), ACCESS_ALL_BYTES, ACCESS_WRITE});
    } else if (what == 'c') {
        p->pending.choices = choices;
        p->pending.choice_count = 2;
    }
    return &p->pending;
}

static void toy_step(target *t, uint32_t thread, uint32_t choice, step_result *result) {
    toy_target *p = toy(t);
    char what = letter(t, thread);
    p->at[thread]++;
    strncat(p->steps, &"0123"[thread], 1);
    *result = (step_result){.value = what == 'c' ? choice : 40 + thread, .acquired = what == 'y'};
    if (what == 'x' || what == 'y') {
        p->values[what - 'x']++;
    } else if (what == '!') {
        p->error = (program_error){.kind = ERROR_CRASH, .thread = thread, .message = "a step"};
        result->error = &p->error;
    }
}

static enum target_ending toy_ending(target *t) {
    for (uint32_t i = 0; i < toy(t)->thread_count; i++) {
        if (toy_pending(t, i)) {
            return ENDING_DEADLOCK;
        }
    }
    return ENDING_COMPLETE;
}

static uint64_t toy_value(target *t, uint32_t object) {
    return toy(t)->values[object];
}

static const target_class toy_class = {
    .reset = toy_reset,
    .start_error = toy_start_error,
    .thread_count = toy_thread_count,
    .pending = toy_pending,
    .step = toy_step,
    .ending = toy_ending,
    .value = toy_value,
};

/* ---- a strategy: one string for each execution ----
 *
 * A digit is a step of that thread; the capitals are decisions; . takes whatever the explorer
 * picks, up to the end. */

typedef struct script {
    strategy base;
    uint32_t execution;
} script;

static struct {
    const char *executions[8];
    uint32_t created, destroyed, stepped, chosen;
    char ended[16];  /* a letter for each */
    char picked[64]; /* digits */
} plan;

static bool anyone(void *context, uint32_t thread, const operation *pending) {
    (void)context;
    (void)thread;
    (void)pending;
    return true;
}

static strategy *script_create(exploration *x) {
    (void)x;
    plan.created++;
    return memory_resize(NULL, 0, sizeof(script));
}

static void script_destroy(strategy *s) {
    plan.destroyed++;
    memory_resize(s, sizeof(script), 0);
}

static enum decision pick_any(exploration *x, step *next) {
    bool refused;
    if (!exploration_pick(x, anyone, NULL, &next->thread, &refused)) {
        return DECISION_MAXIMAL;
    }
    strncat(plan.picked, &"0123"[next->thread], 1);
    return DECISION_STEP;
}

static enum decision script_choose(strategy *s, step *next) {
    exploration *x = s->exploration;
    const char *execution = plan.executions[((script *)s)->execution];
    uint32_t length = execution_length(&x->execution), count = (uint32_t)strlen(execution);
    char what = execution[length < count ? length : count - 1];
    *next = (step){.choice = CHOICE_NONE};
    plan.chosen++;
    switch (what) {
        case 'M': return DECISION_MAXIMAL;
        case 'R': return DECISION_REDUNDANT;
        case 'P': return DECISION_PRUNED;
        case 'N': return DECISION_NOTHING;
        case 'U': return DECISION_UNSUITED;
        case '.': return pick_any(x, next);
        default: next->thread = (uint32_t)(what - '0'); return DECISION_STEP;
    }
}

static void script_stepped(strategy *s) {
    (void)s;
    plan.stepped++;
}

static void script_ended(strategy *s, enum decision decision) {
    (void)s;
    strncat(plan.ended, &"SMRPNU"[decision], 1);
}

static bool script_backtrack(strategy *s) {
    script *p = (script *)s;
    const char *done = plan.executions[p->execution], *next = plan.executions[++p->execution];
    uint32_t common = 0;
    while (next && common < execution_length(&s->exploration->execution) &&
           next[common] == done[common]) {
        common++;
    }
    execution_truncate(&s->exploration->execution, next ? common : 0);
    return next != NULL;
}

static const strategy_class script_class = {
    .name = "script",
    .create = script_create,
    .destroy = script_destroy,
    .choose = script_choose,
    .stepped = script_stepped,
    .ended = script_ended,
    .backtrack = script_backtrack,
};

/* ---- a sink that counts ---- */

typedef struct counting_sink {
    sink base;
    bool stops; /* at errors */
    uint32_t executed, redundant, pruned, cut, errors;
    enum target_ending ending;
    program_error error; /* the last one */
    char message[80];
} counting_sink;

static void count_executed(sink *s, const exploration *x, enum target_ending ending) {
    counting_sink *counts = (counting_sink *)s;
    assert_int_equal(x->target_length, execution_length(&x->execution));
    counts->executed++;
    counts->ending = ending;
}

static void count_redundant(sink *s, const exploration *x) {
    (void)x;
    ((counting_sink *)s)->redundant++;
}

static void count_pruned(sink *s, const exploration *x) {
    (void)x;
    ((counting_sink *)s)->pruned++;
}

static void count_cut(sink *s, const exploration *x) {
    (void)x;
    ((counting_sink *)s)->cut++;
}

static bool count_error(sink *s, const exploration *x, const program_error *error) {
    (void)x;
    counting_sink *counts = (counting_sink *)s;
    counts->errors++;
    counts->error = *error;
    strncpy(counts->message, error->message, sizeof counts->message - 1);
    return !counts->stops;
}

static const sink_class counting_class = {.executed = count_executed,
                                          .redundant = count_redundant,
                                          .pruned = count_pruned,
                                          .cut = count_cut,
                                          .error = count_error};
static const sink_class silent_class = {.executed = count_executed, .error = count_error};

/* ---- all together ---- */

static toy_target program;
static counting_sink counts;
static exploration x;

static void load(uint32_t thread_count, const char *const *threads) {
    program = (toy_target){.base.class = &toy_class, .thread_count = thread_count};
    memcpy(program.threads, threads, thread_count * sizeof *threads);
    exploration_init(&x, &program.base, &counts.base);
}

#define program_of(...) \
    load(sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *), (const char *[]){__VA_ARGS__})

static void plan_executions(uint32_t count, const char *const *executions) {
    memset(&plan, 0, sizeof plan);
    memcpy(plan.executions, executions, count * sizeof *executions);
}

#define plan_of(...)                                                        \
    plan_executions(sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *), \
                    (const char *[]){__VA_ARGS__})

static enum exploration_end run(void) {
    enum exploration_end end = exploration_run(&x, &script_class);
    assert_int_equal(plan.created, plan.destroyed);
    return end;
}

static int setup(void **state) {
    (void)state;
    counts = (counting_sink){.base.class = &counting_class};
    return 0;
}

static int teardown(void **state) {
    (void)state;
    exploration_free(&x);
    return memory_in_use() != 0;
}

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

static void waiting_for_ever_is_a_deadlock(void **state) {
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
    x.limits.max_executions = 1;
    program.one_ends_all = true;
    assert_int_equal(run(), EXPLORATION_STEP_BOUND);
    assert_int_equal(counts.cut, 1);
    assert_int_equal(counts.executed, 1);
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

static void a_sink_may_leave_functions_out(void **state) {
    (void)state;
    program_of("xx");
    plan_of("R", "00M");
    counts.base.class = &silent_class;
    x.limits.max_steps = 1;
    assert_int_equal(run(), EXPLORATION_STEP_BOUND);
    assert_int_equal(counts.redundant + counts.cut, 0);
}

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

/* ---- policies ---- */

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

static void error_words_are_those_of_the_manual(void **state) {
    (void)state;
    program_of("");
    assert_string_equal(error_word(ERROR_ASSERTION), "assertion");
    assert_string_equal(error_word(ERROR_UNSUPPORTED), "unsupported");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

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
        TEST(waiting_for_ever_is_a_deadlock),
        TEST(a_deadlock_can_stop_the_exploration),
        TEST(errors_before_the_first_step_are_reported),
        TEST(an_error_before_the_first_step_can_stop),
        TEST(long_executions_are_cut),
        TEST(a_step_beyond_the_bound_is_not_asked_for),
        TEST(an_execution_that_ends_at_the_bound_is_not_cut),
        TEST(the_number_of_executions_can_be_limited),
        TEST(a_limit_that_is_just_reached_is_complete),
        TEST(a_cut_is_not_forgotten_when_the_limit_is_reached),
        TEST(an_interrupt_stops_after_the_step),
        TEST(a_sink_may_leave_functions_out),
        TEST(a_probe_shows_what_is_pending_elsewhere),
        TEST(the_target_comes_back_after_a_probe),
        TEST(a_probe_over_a_step_that_cannot_be_taken_finds_nothing),
        TEST(a_probe_takes_the_alternatives_that_it_is_given),
        TEST(events_of_the_execution_can_be_probed_again),
        TEST(blocked_steps_are_collected_with_their_causes),
        TEST(the_lowest_thread_goes_first),
        TEST(the_lowest_thread_goes_first_again_after_going_back),
        TEST(the_highest_thread_goes_first),
        TEST(threads_take_turns),
        TEST(random_picks_depend_on_the_seed_alone),
        TEST(refusing_an_enabled_thread_is_remembered),
        TEST(error_words_are_those_of_the_manual),
    };
    return cmocka_run_group_tests_name("exploration", tests, NULL, NULL);
}
