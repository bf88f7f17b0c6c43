#include "report/fewest.h"

#include <string.h>

enum {
    MOST_THREADS = 64,
    MOST_STEPS = 200000, /* in all schedules; starting one counts as: */
    START_COST = 20,
    MOST_ADDED = 2000, /* steps of one schedule, beyond twice those that were given */
};

/* A step of the current schedule, and what else could be taken in its place. */
typedef struct turn {
    step step;
    uint32_t switches; /* before it */
    uint64_t enabled;  /* threads */
    uint64_t tried;
} turn;

typedef struct search {
    rerun *rerun;
    VECTOR(uint32_t) choices[MOST_THREADS]; /* of each thread's steps, as they were given */
    uint32_t counts[MOST_THREADS];          /* steps that it has taken */
    VECTOR(turn) path;
    uint32_t fixed; /* this many steps of the path, the first ones, are taken as they are */
    uint32_t taken;
    uint32_t bound;   /* of switches */
    uint64_t longest; /* of steps: a thread that does not wait for others may run forever */
    bool cut;         /* one more switch would be needed, or more steps */
    bool found;
} search;

uint32_t fewest_count(const step_list *steps) {
    uint32_t switches = 0;
    for (uint32_t i = 1; i < steps->count; i++) {
        switches += vector_at(steps, i).thread != vector_at(steps, i - 1).thread;
    }
    return switches;
}

/* ---- one schedule ---- */

static uint64_t enabled_threads(const search *s) {
    target *t = s->rerun->target;
    uint64_t enabled = 0;
    for (uint32_t i = 0; i < t->class->thread_count(t) && i < MOST_THREADS; i++) {
        const operation *o = t->class->pending(t, i);
        enabled |= (uint64_t)(o && operation_enabled(o)) << i;
    }
    return enabled;
}

/* Threads that may take the step after the first `length` without too many switches. */
static uint64_t allowed_threads(const search *s, uint32_t length, uint32_t switches,
                                uint64_t enabled) {
    uint64_t same = length ? (uint64_t)1 << vector_at(&s->path, length - 1).step.thread : enabled;
    return switches < s->bound ? enabled : enabled & same;
}

/* What the thread chose in its step of this number; the first alternative if it is now at another
 * operation. */
static uint32_t choice_of(const search *s, uint32_t thread) {
    const operation *o = s->rerun->target->class->pending(s->rerun->target, thread);
    uint32_t number = s->counts[thread], choice = CHOICE_NONE;
    if (number < s->choices[thread].count) {
        choice = vector_at(&s->choices[thread], number);
    }
    return o && !operation_has_alternative(o, choice) ? operation_choice(o, 0) : choice;
}

static uint32_t lowest(uint64_t threads) {
    return (uint32_t)__builtin_ctzll(threads);
}

/* The thread of the previous step continues if it can. */
static bool extend(search *s) {
    uint64_t enabled = enabled_threads(s);
    const turn *last = s->taken ? &vector_last(&s->path) : NULL;
    uint32_t before = last ? last->step.thread : MOST_THREADS;
    uint32_t switches =
        last ? last->switches +
                   (s->taken > 1 && before != vector_at(&s->path, s->taken - 2).step.thread)
             : 0;
    uint64_t allowed = allowed_threads(s, s->taken, switches, enabled);
    s->cut = enabled && (!allowed || s->taken >= s->longest);
    if (!allowed || s->cut) {
        return false;
    }
    bool goes_on = last && enabled >> before & 1;
    step next = {.thread = goes_on ? before : lowest(allowed)};
    vector_push(&s->path, (turn){.step = next,
                                 .switches = switches,
                                 .enabled = enabled,
                                 .tried = (uint64_t)1 << next.thread});
    return true;
}

static bool next_step(void *context, step *next) {
    search *s = context;
    if (s->taken >= s->fixed) {
        vector_resize(&s->path, s->taken);
        if (!extend(s)) {
            return false;
        }
    }
    *next = vector_at(&s->path, s->taken).step;
    next->choice = choice_of(s, next->thread);
    vector_at(&s->path, s->taken++).step = *next;
    s->counts[next->thread]++;
    return true;
}

static bool look_for_error(void *context, const program_error *error) {
    search *s = context;
    s->found = rerun_has_wanted(s->rerun, error);
    return !s->found;
}

static bool run_once(search *s) {
    static const rerun_hooks hooks = {next_step, look_for_error};
    rerun *r = s->rerun;
    r->other_errors = 0;
    r->budget -= r->budget < START_COST ? r->budget : START_COST;
    s->taken = 0;
    s->found = s->cut = false;
    memset(s->counts, 0, sizeof s->counts);
    r->target->class->reset(r->target);
    bool whole = rerun_run(r, &hooks, s);
    return (s->found || (whole && !s->cut && rerun_ends_as_wanted(r))) && !r->given_up;
}

/* ---- all schedules with a given number of switches ---- */

/* The latest step in whose place another one can be taken. */
static bool next_schedule(search *s) {
    vector_resize(&s->path, s->taken);
    while (s->path.count) {
        turn *d = &vector_last(&s->path);
        uint64_t others =
            allowed_threads(s, s->path.count - 1, d->switches, d->enabled) & ~d->tried;
        if (others) {
            d->step.thread = lowest(others);
            d->tried |= (uint64_t)1 << d->step.thread;
            s->fixed = s->path.count;
            return true;
        }
        vector_resize(&s->path, s->path.count - 1);
    }
    return false;
}

static bool find_with(search *s, uint32_t tolerated) {
    vector_clear(&s->path);
    s->fixed = 0;
    do {
        if (run_once(s) && s->rerun->other_errors <= tolerated) {
            return true;
        }
    } while (!rerun_is_over(s->rerun) && next_schedule(s));
    return false;
}

static void take_choices(search *s, const step_list *given) {
    for (uint32_t i = 0; i < given->count; i++) {
        step taken = vector_at(given, i);
        if (taken.thread < MOST_THREADS) {
            vector_push(&s->choices[taken.thread], taken.choice);
        }
    }
}

static void free_search(search *s) {
    for (uint32_t i = 0; i < MOST_THREADS; i++) {
        vector_free(&s->choices[i]);
    }
    vector_free(&s->path);
}

bool fewest_find(rerun *r, const step_list *given, uint32_t most, uint32_t tolerated,
                 step_list *found) {
    search s = {.rerun = r, .longest = (uint64_t)2 * given->count + MOST_ADDED};
    bool better = false;
    uint64_t rest = r->budget > MOST_STEPS ? r->budget - MOST_STEPS : 0;
    r->budget -= rest;
    take_choices(&s, given);
    for (; s.bound <= most && !better && !rerun_is_over(r); s.bound++) {
        better = find_with(&s, tolerated);
    }
    r->budget += rest;
    vector_clear(found);
    for (uint32_t i = 0; i < s.taken && better; i++) {
        vector_push(found, vector_at(&s.path, i).step);
    }
    free_search(&s);
    return better;
}
