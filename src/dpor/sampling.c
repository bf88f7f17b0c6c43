/* Executions at random, each from the start of the program, until the caller stops.
 *
 * walk  A thread that is enabled is picked at each step, all with the same probability. Simple, and
 *       poor where a thread has to be delayed for long.
 * pct   Probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi, Nagarakatte, ASPLOS
 *       2010): threads have random priorities, and at d - 1 random places of the execution the
 *       running thread gets the lowest one. Finds a bug of depth d among n threads and k steps with
 *       a probability of at least 1/(n k^(d-1)). The length is that of the longest execution so
 *       far.
 * pos   Partial order sampling (Yuan, Yang, Gu, CAV 2018): every step that is pending has a random
 * priority, and gets a new one when a step is taken that it conflicts with. Partial orders are
 * sampled more evenly than by the others, and nothing has to be chosen by the user: the default.
 *
 * policy  As --first orders the threads: what looks ahead begins with (explore/scout.h).
 *
 * Threads that only pause come last, so that loops that wait do not stop everything. */
#include "dpor/sampling.h"

#include "explore/exploration.h"

typedef struct sampling {
    strategy base;
    VECTOR(uint64_t) priorities; /* by thread */
    VECTOR(uint32_t) threads;    /* those that are not known to have ended, in order */
    VECTOR(uint32_t)
    changes;          /* pct: after this many steps the running thread gets the lowest priority */
    uint32_t longest; /* execution so far */
} sampling;

#define PRIORITY_NORMAL ((uint64_t)1 << 63) /* those that pct has lowered are below */

static uint64_t fresh_priority(exploration *x) {
    return random_next(&x->random) | PRIORITY_NORMAL;
}

static void reserve(sampling *s, uint32_t threads) {
    while (s->priorities.count < threads) {
        vector_push(&s->threads, s->priorities.count);
        vector_push(&s->priorities, fresh_priority(s->base.exploration));
    }
}

/* A thread that has taken steps and has none pending will never have one again. */
static bool has_ended(const exploration *x, uint32_t thread, const operation *pending) {
    return !pending && execution_thread_events(&x->execution, thread);
}

/* ---- choosing ---- */

static uint64_t rank(sampling *s, uint32_t thread, const operation *pending) {
    exploration *x = s->base.exploration;
    if (operation_has_role(pending->kind, ROLE_YIELDS)) {
        return 0;
    }
    return x->sampling.method == SAMPLING_WALK ? fresh_priority(x)
                                               : vector_at(&s->priorities, thread);
}

/* pos: steps that race with `taken`, the latest step, get new priorities. */
static void shuffle(sampling *s, const event *taken, uint32_t thread, const operation *pending) {
    if (thread == taken->thread ||
        (pending && footprint_conflict(taken->footprint, pending->footprint))) {
        vector_at(&s->priorities, thread) = fresh_priority(s->base.exploration);
    }
}

/* The enabled thread with the highest priority; NULL: none is enabled. `taken`: the latest step, if
 * the steps that race with it have not got new priorities yet. */
static const operation *find_highest(sampling *s, const event *taken, uint32_t *thread) {
    exploration *x = s->base.exploration;
    const operation *found = NULL;
    uint64_t highest = 0;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->threads.count; i++) {
        uint32_t t = vector_at(&s->threads, i);
        const operation *pending = exploration_pending(x, t);
        if (taken) {
            shuffle(s, taken, t, pending);
        }
        if (has_ended(x, t, pending)) {
            continue;
        }
        vector_at(&s->threads, kept++) = t;
        if (pending && operation_enabled(pending)) {
            uint64_t mine = rank(s, t, pending);
            if (!found || mine > highest) {
                found = pending;
                highest = mine;
                *thread = t;
            }
        }
    }
    s->threads.count = kept;
    return found;
}

/* pct: if a change is due, the thread that would run gets a priority below all that were lowered
 * before. */
static bool lowers(sampling *s, uint32_t thread) {
    uint32_t length = execution_length(&s->base.exploration->execution);
    for (uint32_t i = 0; i < s->changes.count; i++) {
        if (vector_at(&s->changes, i) == length) {
            vector_at(&s->changes, i) = UINT32_MAX;
            vector_at(&s->priorities, thread) = s->changes.count - i;
            return true;
        }
    }
    return false;
}

static const operation *find_by_priority(sampling *s, uint32_t *thread) {
    const exploration *x = s->base.exploration;
    uint32_t length = execution_length(&x->execution);
    bool shuffles = length && x->sampling.method == SAMPLING_POS;
    reserve(s, x->target->class->thread_count(x->target));
    const operation *pending =
        find_highest(s, shuffles ? execution_event(&x->execution, length - 1) : NULL, thread);
    while (pending && lowers(s, *thread)) {
        pending = find_highest(s, NULL, thread);
    }
    return pending;
}

static const operation *find_by_policy(exploration *x, uint32_t *thread) {
    bool refused;
    return exploration_pick(x, exploration_takes_any, NULL, thread, &refused)
               ? exploration_pending(x, *thread)
               : NULL;
}

static enum decision sampling_choose(strategy *base, step *next) {
    sampling *s = (sampling *)base;
    exploration *x = base->exploration;
    const operation *pending = x->sampling.method == SAMPLING_POLICY
                                   ? find_by_policy(x, &next->thread)
                                   : find_by_priority(s, &next->thread);
    if (!pending) {
        return DECISION_MAXIMAL;
    }
    uint32_t alternatives = operation_alternatives(pending);
    uint32_t alternative = alternatives > 1 ? random_below(&x->random, alternatives) : 0;
    next->choice = operation_choice(pending, alternative);
    return DECISION_STEP;
}

/* ---- executions ---- */

static void prepare(sampling *s) {
    exploration *x = s->base.exploration;
    CHECK(x->sampling.method != SAMPLING_PCT || x->sampling.depth);
    uint32_t count = x->sampling.method == SAMPLING_PCT ? x->sampling.depth - 1 : 0;
    vector_clear(&s->priorities);
    vector_clear(&s->threads);
    vector_clear(&s->changes);
    for (uint32_t i = 0; i < count; i++) {
        vector_push(&s->changes, s->longest ? random_below(&x->random, s->longest) : UINT32_MAX);
    }
}

static void sampling_init(strategy *base) {
    prepare((sampling *)base);
}

static void sampling_free(strategy *base) {
    sampling *s = (sampling *)base;
    vector_free(&s->priorities);
    vector_free(&s->threads);
    vector_free(&s->changes);
}

static void sampling_ended(strategy *base, enum decision decision) {
    sampling *s = (sampling *)base;
    uint32_t length = execution_length(&base->exploration->execution);
    (void)decision;
    s->longest = length > s->longest ? length : s->longest;
}

static bool sampling_backtrack(strategy *base) {
    execution_truncate(&base->exploration->execution, 0);
    prepare((sampling *)base);
    return true;
}

const strategy_class strategy_sampling = {
    .name = "random",
    .summary = "executions at random",
    .fine = true,
    .any_steps = true,
    .unsound = "executions were chosen at random: what other executions do is not covered",
    .size = sizeof(sampling),
    .init = sampling_init,
    .free = sampling_free,
    .choose = sampling_choose,
    .ended = sampling_ended,
    .backtrack = sampling_backtrack,
};
