/* For the tests of the explorer: a target, a strategy and a sink that are all made for them. */
#ifndef HEDDLE_EXPLORE_TOY_TEST_H
#define HEDDLE_EXPLORE_TOY_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "explore/exploration.h"

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

static inline toy_target *toy(target *t) {
    return (toy_target *)t;
}

static inline void toy_reset(target *t) {
    t->resets++;
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

static inline uint32_t toy_thread_count(target *t) {
    return toy(t)->thread_count;
}

static inline char letter(target *t, uint32_t thread) {
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

static inline void toy_step(target *t, uint32_t thread, uint32_t choice, step_result *result) {
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

static inline enum target_ending toy_ending(target *t) {
    for (uint32_t i = 0; i < toy(t)->thread_count; i++) {
        if (toy_pending(t, i)) {
            return ENDING_DEADLOCK;
        }
    }
    return ENDING_COMPLETE;
}

static inline uint64_t toy_value(target *t, uint32_t object) {
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

static inline bool anyone(void *context, uint32_t thread, const operation *pending) {
    (void)context;
    (void)thread;
    (void)pending;
    return true;
}

static inline void script_init(strategy *s) {
    assert_non_null(s->exploration);
    plan.created++;
}

static inline void script_free(strategy *s) {
    (void)s;
    plan.destroyed++;
}

static inline enum decision pick_any(exploration *x, step *next) {
    bool refused;
    if (!exploration_pick(x, anyone, NULL, &next->thread, &refused)) {
        return DECISION_MAXIMAL;
    }
    strncat(plan.picked, &"0123"[next->thread], 1);
    return DECISION_STEP;
}

static inline enum decision script_choose(strategy *s, step *next) {
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

static inline void script_stepped(strategy *s) {
    (void)s;
    plan.stepped++;
}

static inline void script_ended(strategy *s, enum decision decision) {
    (void)s;
    strncat(plan.ended, &"SMRPNU"[decision], 1);
}

static inline bool script_backtrack(strategy *s) {
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
    .size = sizeof(script),
    .init = script_init,
    .free = script_free,
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

static inline void count_executed(sink *s, const exploration *x, enum target_ending ending) {
    counting_sink *counts = (counting_sink *)s;
    assert_int_equal(x->target_length, execution_length(&x->execution));
    counts->executed++;
    counts->ending = ending;
}

static inline void count_redundant(sink *s, const exploration *x) {
    (void)x;
    ((counting_sink *)s)->redundant++;
}

static inline void count_pruned(sink *s, const exploration *x) {
    (void)x;
    ((counting_sink *)s)->pruned++;
}

static inline void count_cut(sink *s, const exploration *x) {
    (void)x;
    ((counting_sink *)s)->cut++;
}

static inline bool count_error(sink *s, const exploration *x, const program_error *error) {
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
/* ---- all together ---- */

static toy_target program;
static counting_sink counts;
static exploration x;

static inline void load(uint32_t thread_count, const char *const *threads) {
    program = (toy_target){.base.class = &toy_class, .thread_count = thread_count};
    memcpy(program.threads, threads, thread_count * sizeof *threads);
    exploration_init(&x, &program.base, &counts.base);
}

#define program_of(...) \
    load(sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *), (const char *[]){__VA_ARGS__})

static inline void plan_executions(uint32_t count, const char *const *executions) {
    memset(&plan, 0, sizeof plan);
    memcpy(plan.executions, executions, count * sizeof *executions);
}

#define plan_of(...)                                                        \
    plan_executions(sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *), \
                    (const char *[]){__VA_ARGS__})

static inline enum exploration_end run(void) {
    enum exploration_end end = exploration_run(&x, &script_class);
    assert_int_equal(plan.created, plan.destroyed);
    return end;
}

static inline int setup(void **state) {
    (void)state;
    counts = (counting_sink){.base.class = &counting_class};
    return 0;
}

static inline int teardown(void **state) {
    (void)state;
    exploration_free(&x);
    return memory_in_use() != 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

#endif
