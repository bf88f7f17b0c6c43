#include "oracle/differ.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "dpor/registry.h"
#include "explore/exploration.h"
#include "oracle/known_states.h"
#include "oracle/machine_spin.h"
#include "oracle/meaning.h"
#include "oracle/print.h"
#include "oracle/promise.h"
#include "oracle/recorder.h"
#include "oracle/weak_trial.h"
#include "targets/abstract/interpreter.h"

#define EXPLORATION_LIMIT_TRIAL   30000 /* beyond that a strategy is not judged */
#define INTERLEAVINGS_LIMIT_TRIAL 3000  /* and `none` not tried */

/* Names separated by commas. */
static uint32_t count_names(const char *names) {
    uint32_t count = 1;
    while ((names = strchr(names, ','))) {
        names++;
        count++;
    }
    return count;
}

static bool is_among(const char *name, const char *names) {
    size_t length = strlen(name);
    for (const char *at = names; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || !at[length])) {
            return true;
        }
    }
    return false;
}

uint32_t differ_defendants(const char *names, defendant *defendants, uint32_t most,
                           uint32_t *unknown) {
    uint32_t count = 0;
    *unknown = 0;
    for (const strategy_class *const *s = strategy_registry; *s; s++) {
        uint32_t promises = promise_of((*s)->name);
        if (names && !is_among((*s)->name, names)) {
            continue;
        }
        if (!promises) {
            ++*unknown;
        } else if (promises & (PROMISE_BROKEN | PROMISE_GRAPHS) && !names) {
            continue;
        } else if (count < most) {
            defendants[count++] = (defendant){.class = *s, .promises = promises};
        }
    }
    return names && count + *unknown != count_names(names) ? 0 : count;
}

/* Work in any order, too. */
static bool policy_shuffles(uint32_t policy) {
    return policy >= 3 && policy % 2;
}

/* Work that becomes bytes and work again. */
static bool policy_moves(uint32_t policy) {
    return policy >= 3 && policy % 3 == 1;
}

static const struct {
    enum first_policy first;
    const char *name;
} policies[] = {
    {FIRST_USUAL, "usual"}, {FIRST_HIGHEST, "highest"}, {FIRST_ROUND_ROBIN, "round-robin"}};

static void set_policy(exploration *x, uint32_t policy) {
    if (policy < 3) {
        x->first = policies[policy].first;
    } else {
        x->first = FIRST_RANDOM;
        x->random = (random_source){policy};
        x->shuffle = policy_shuffles(policy);
    }
}

static void name_policy(uint32_t policy, char *name, size_t size) {
    if (policy < 3) {
        snprintf(name, size, "%s", policies[policy].name);
    } else {
        snprintf(name, size, "random:%u", policy);
    }
}

static bool has_instruction(const program *p, enum instruction_kind kind) {
    for (uint32_t t = 0; t < p->threads.count; t++) {
        for (uint32_t i = 0; i < vector_at(&p->threads, t).code.count; i++) {
            if (vector_at(&vector_at(&p->threads, t).code, i).kind == kind) {
                return true;
            }
        }
    }
    return false;
}

static bool is_stuck(const brute *b) {
    return b->endings[FINISH_DEADLOCK] || b->endings[FINISH_ASSUMED] ||
           b->endings[FINISH_LIVELOCK] || b->endings[FINISH_ARTIFACT];
}

/* Only programs with atomic sections or receives that may time out may fall back, those with awaits
 * or with threads whose steps depend on the schedule by the strategy that does not take them, and
 * those with timed waits by strategies that compare states (too many parts of one race): a strategy
 * must not avoid the test by falling back. */
static bool may_fall_back(const program *p, const brute *expected, const defendant *who) {
    return has_instruction(p, INSTRUCTION_ATOMIC_BEGIN) || has_instruction(p, INSTRUCTION_POLL) ||
           (who->promises & PROMISE_FEWER_CLASSES &&
            (has_instruction(p, INSTRUCTION_AWAIT) || is_stuck(expected) ||
             expected->deeds.entries.count > 1)) ||
           (machine_has_loops(p) && who->class->work) ||
           (who->class->states_only && has_instruction(p, INSTRUCTION_TIMED_WAIT));
}

/* ---- promotion ---- */

/* What is explored until all racing accesses are promoted is only looked at for races. */
typedef struct scout {
    sink sink;
    bool raced;
} scout;

static void scout_executed(sink *s, const exploration *x, enum target_ending ending) {
    (void)s, (void)x, (void)ending;
}

static bool scout_error(sink *s, const exploration *x, const program_error *error) {
    (void)x;
    ((scout *)s)->raced |= error->kind == ERROR_DATA_RACE;
    return true;
}

static const sink_class scout_class = {.executed = scout_executed, .error = scout_error};

/* Explores again and again, until no more accesses are promoted. The first time, with all of them
 * in passing, must show a race if there is one. False: not all are known, because the program does
 * not suit the strategy, or there is too much to explore. */
static bool promote(const program *p, const brute *expected, const defendant *who, uint32_t policy,
                    target *checked, difference *d) {
    bool first = true, complete = true;
    do {
        scout seen = {.sink = {&scout_class}};
        exploration x;
        exploration_init(&x, checked, &seen.sink);
        x.limits.max_executions = EXPLORATION_LIMIT_TRIAL;
        set_policy(&x, policy);
        checked->stale = false;
        enum exploration_end end = exploration_run(&x, who->class);
        complete = end == EXPLORATION_COMPLETE || (end == EXPLORATION_STOPPED && checked->stale);
        exploration_free(&x);
        /* A race may show first where a strategy only tries something out; it is reported once its
         * accesses are steps. */
        bool raced = seen.raced || checked->stale;
        if (first && complete && !machine_has_loops(p) &&
            raced != (expected->races.entries.count > 0)) {
            difference_set(d, raced ? DIFFERENCE_FALSE_RACE : DIFFERENCE_RACES,
                           "with all plain accesses in passing");
        }
        first = false;
    } while (checked->stale && complete && d->kind == DIFFERENCE_NONE);
    checked->stale = false;
    return complete;
}

static bool passes(const program *p, const defendant *who) {
    return program_has_plain(p) && !who->class->states_only && !who->class->exhaustive;
}

/* One program on trial, and what its explorations share. */
typedef struct trial {
    const differ_settings *settings;
    const program *program;
    brute *const *all;          /* by what strategies tell apart: all, or finely */
    judged_schedules judged[2]; /* likewise */
    recorder *recorder;
    target *known; /* of all explorations; NULL: each has one of its own */
    differ_result *result;
} trial;

static target *create_target(const program *p, const defendant *who) {
    return interpreter_create_with(p, who->races ? who->races : &interpreter_races,
                                   who->spins ? who->spins : &interpreter_spins);
}

static void trial_open(trial *t, const differ_settings *settings, const program *p,
                       brute *const *all, differ_result *result) {
    *t = (trial){.settings = settings, .program = p, .all = all, .result = result};
    t->recorder = memory_resize(NULL, 0, sizeof *t->recorder);
    if (settings->knows_states) {
        target *inner = interpreter_create(p);
        bool suited = known_states_suit(inner, p);
        t->known = suited ? known_states_create(inner, p) : NULL;
        if (!suited) {
            inner->class->destroy(inner);
        }
    }
}

static void trial_close(trial *t) {
    if (t->known) {
        t->known->class->destroy(t->known);
    }
    judged_free(&t->judged[0]);
    judged_free(&t->judged[1]);
    recorder_free(t->recorder);
    memory_resize(t->recorder, sizeof *t->recorder, 0);
    footprint_table_clear();
}

static void note_comparison(differ_result *result, const defendant *who, const recorder *r) {
    const brute *expected = r->expected;
    bool classes = who->promises & PROMISE_FEWER_CLASSES;
    result->compared = true;
    result->executions = r->executions;
    result->reduced = r->executions + r->redundant <
                      (classes ? expected->classes.entries.count : expected->traces.entries.count);
}

/* One strategy under one policy, with a new target or one that all share. A strategy may fall back
 * to another one, which is tested itself; true if it did. */
static bool explore(trial *t, const defendant *who, uint32_t policy, target *target) {
    const program *p = t->program;
    difference *d = &t->result->difference;
    recorder *r = t->recorder;
    exploration x;
    r->passing = passes(p, who);
    bool settled = true;
    if (r->passing || machine_has_loops(p)) {
        settled = promote(p, r->expected, who, policy, target, d);
        r->passing = r->passing && exploration_accesses(target, who->class) == ACCESSES_IN_PASSING;
    }
    exploration_init(&x, target, &r->sink);
    x.limits.interrupt = &r->interrupt;
    set_policy(&x, policy);
    round_trip trip;
    round_trip_open(&trip, policy);
    x.exchange = policy_moves(policy) ? &trip.exchange : NULL;
    enum exploration_end end = exploration_run(&x, who->class);
    bool fell_back = end == EXPLORATION_UNSUITED || (target->stale && !settled);
    if (target->stale && settled) {
        difference_set(d, DIFFERENCE_PROMOTION, "after %" PRIu64 " executions", r->executions);
    } else if (!fell_back) {
        recorder_judge(r, end);
    } else if (!may_fall_back(p, r->expected, who)) {
        difference_set(d, DIFFERENCE_UNSUITED, "to %s", who->class->fallback);
    }
    if (end == EXPLORATION_COMPLETE && who->class->states_only && !t->result->compared) {
        note_comparison(t->result, who, r);
    }
    exploration_free(&x);
    return fell_back;
}

static bool try_defendant(trial *t, const defendant *who, uint32_t policy) {
    const brute *expected = t->all[who->class->fine];
    difference *d = &t->result->difference;
    bool shares = t->known && !who->races && !who->spins;
    target *target = shares ? t->known : create_target(t->program, who);
    recorder_start(t->recorder, t->program, expected, who->promises, EXPLORATION_LIMIT_TRIAL, d);
    t->recorder->known =
        program_has_plain(t->program) ? NULL : &t->judged[expected == t->all[0] ? 0 : 1];
    bool fell_back = explore(t, who, policy, target);
    if (d->kind != DIFFERENCE_NONE) {
        snprintf(d->strategy, sizeof d->strategy, "%s", who->class->name);
        name_policy(policy, d->policy, sizeof d->policy);
    }
    if (!shares) {
        target->class->destroy(target);
    }
    if (!t->known) {
        footprint_table_clear();
    }
    return fell_back;
}

/* How many policies a program is explored under. Where everything is explored they hardly matter.
 * */
static uint32_t policy_count(const differ_settings *settings, const defendant *who,
                             uint32_t traces) {
    if (who->promises & PROMISE_INTERLEAVINGS) {
        return 2;
    }
    if (!settings->rotation || traces <= 60) {
        return settings->policies;
    }
    return traces <= 400 ? 4 : 1;
}

static void try_all(trial *t) {
    const differ_settings *settings = t->settings;
    differ_result *result = t->result;
    for (uint32_t i = 0; i < settings->defendant_count; i++) {
        const defendant *who = &settings->defendants[i];
        const brute *expected = t->all[who->class->fine];
        if ((who->promises & PROMISE_INTERLEAVINGS) &&
            expected->interleavings > INTERLEAVINGS_LIMIT_TRIAL) {
            continue;
        }
        uint32_t count = policy_count(settings, who, expected->traces.entries.count);
        for (uint32_t k = 0; k < count && result->difference.kind == DIFFERENCE_NONE; k++) {
            uint32_t policy = (uint32_t)((settings->rotation + k) % settings->policies);
            result->fell_back |= try_defendant(t, who, policy);
            result->shuffled |= policy_shuffles(policy);
        }
    }
}

/* All strategies, and that they give back their memory. */
static void try_program(const differ_settings *settings, const program *p, brute *const *all,
                        differ_result *result) {
    trial t;
    size_t memory = memory_in_use();
    trial_open(&t, settings, p, all, result);
    try_all(&t);
    trial_close(&t);
    size_t left = memory_in_use();
    if (left != memory) {
        difference_set(&result->difference, DIFFERENCE_LEAK, "%zd bytes", (ssize_t)(left - memory));
    }
}

static uint32_t features_of(const program *p) {
    uint32_t features = 0;
#define FEATURE_BIT(name, word, instruction) \
    features |= (uint32_t)has_instruction(p, INSTRUCTION_##instruction) << FEATURE_##name;
    FEATURES(FEATURE_BIT)
#undef FEATURE_BIT
    return features;
}

static void describe(const brute *b, const program *p, differ_result *result) {
    result->features = features_of(p);
    result->tested = b->complete;
    result->threads = p->threads.count;
    result->traces = b->traces.entries.count;
    result->interleavings = b->interleavings;
    result->stuck = is_stuck(b);
    result->errors = b->errors.entries.count > 0;
}

/* It has a primitive of which fine strategies know more independence. */
static bool is_ordered_finely(const program *p) {
    for (uint32_t c = 0; c < p->cells.count; c++) {
        if (vector_at(&p->cells, c).kind >= CELL_SEMAPHORE) {
            return true;
        }
    }
    return false;
}

static brute *run_brute(const differ_settings *settings, const program *p, bool fine) {
    brute *b = memory_resize(NULL, 0, sizeof *b);
    for (uint32_t i = 0; i < settings->defendant_count; i++) {
        b->observe |=
            (settings->defendants[i].promises & (PROMISE_CLASSES | PROMISE_FEWER_CLASSES)) != 0;
    }
    b->fine = fine;
    brute_run(b, p, BRUTE_MERGED, settings->prefix_limit);
    return b;
}

/* They have a judge of their own. */
static void try_graphs(const differ_settings *settings, const program *p, differ_result *result) {
    result->features = features_of(p);
    result->threads = p->threads.count;
    for (uint32_t i = 0; i < settings->defendant_count; i++) {
        weak_try(p, &settings->defendants[i], result);
    }
}

void differ_test(const differ_settings *settings, const char *text, differ_result *result) {
    program p;
    parse_error error;
    CHECK(settings->policies > 0);
    *result = (differ_result){0};
    if (!print_parse(&p, text, &error)) {
        difference_set(&result->difference, DIFFERENCE_PARSE, "line %u, column %u: %s", error.line,
                       error.column, error.message);
        return;
    }
    if (settings->defendant_count && settings->defendants[0].promises & PROMISE_GRAPHS) {
        try_graphs(settings, &p, result);
        program_free(&p);
        return;
    }
    /* What the fine strategies tell apart, and what the others do; mostly that is the same. */
    brute *all[2];
    for (uint32_t fine = 0; fine < 2; fine++) {
        all[fine] = fine && !is_ordered_finely(&p) ? all[0] : run_brute(settings, &p, fine);
    }
    describe(all[0], &p, result);
    if (machine_has_loops(&p)) {
        enum meaning meaning = meaning_compare(&p, all[0]);
        if (meaning == MEANING_OTHER_ENDS || meaning == MEANING_OTHER_ROUNDS) {
            difference_set(&result->difference, DIFFERENCE_MEANING, "%s",
                           meaning == MEANING_OTHER_ENDS ? "final states" : "endless rounds");
        }
    }
    if (all[0]->complete && all[1]->complete) {
        try_program(settings, &p, all, result);
    }
    for (uint32_t fine = all[1] == all[0] ? 1 : 2; fine-- > 0;) {
        brute_free(all[fine]);
        memory_resize(all[fine], sizeof *all[fine], 0);
    }
    program_free(&p);
}
