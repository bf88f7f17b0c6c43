#include "explore/scout.h"

#include <limits.h>

#include "base/witness.h"
#include "explore/estimate.h"

/* ---- who is notified ---- */

typedef struct scout_sink {
    sink sink;
    sink *receiver;
    bool stopped;
} scout_sink;

static void executed(sink *s, const exploration *x, enum target_ending ending) {
    (void)s, (void)x, (void)ending;
}

static bool error(sink *s, const exploration *x, const program_error *found) {
    scout_sink *own = (scout_sink *)s;
    own->stopped = !own->receiver->class->error(own->receiver, x, found);
    return !own->stopped;
}

static const sink_class scout_sink_class = {.executed = executed, .error = error};

/* ---- which executions, and how many ---- */

enum { SHARE = 10, LONGER = 4, LONGER_STEPS = 1000, SAMPLES_AFTER_CUT = 50 };

/* The length of an execution that does not end says nothing about the length of others. */
static exploration_limits limits_of(const exploration *x, uint64_t executions) {
    uint64_t most = (x->cut ? 0 : LONGER * exploration_weight(x)) + LONGER_STEPS;
    exploration_limits limits = x->limits;
    limits.stop_at_cut = false;
    limits.max_executions = executions;
    limits.max_steps = limits.max_steps && limits.max_steps < most ? limits.max_steps : most;
    return limits;
}

/* False: an error was found, and the sink stops. */
static bool look(const exploration *x, sampling_choice sampling, enum first_policy first,
                 uint64_t executions) {
    scout_sink errors = {.sink.class = &scout_sink_class, .receiver = x->sink};
    exploration ahead;
    if (!executions) {
        return true; /* not affordable; to an exploration, 0 means no limit */
    }
    exploration_init(&ahead, x->target, &errors.sink);
    ahead.limits = limits_of(x, executions);
    ahead.random.state = x->scout_due;
    ahead.sampling = sampling;
    ahead.first = first;
    exploration_run(&ahead, x->scout);
    exploration_free(&ahead);
    return !errors.stopped;
}

/* How many executions take that part of the steps that were taken. As each starts over, that may be
 * few: the others may have a long beginning in common, which was executed only once. */
static uint64_t affordable(const exploration *x, uint64_t share) {
    CHECK(share);
    return (x->events + x->replayed) / share / (exploration_weight(x) + 1);
}

/* How many to run at random, and the same number with preemptions: one for ten that were
 * explored. */
static uint64_t first_samples(const exploration *x) {
    enum { LEAST = 10 };
    uint64_t wanted = x->scout_due / SHARE, most = affordable(x, SHARE);
    CHECK(wanted >= SCOUT_FIRST / SHARE);
    return most < LEAST || wanted < LEAST ? LEAST : most < wanted ? most : wanted;
}

/* How many times as many executions are left as were explored, at least, as far as is known. */
static double left_over(exploration *x, strategy *s) {
    enum { PART = 320 };
    if (!s->class->work) {
        return 0;
    }
    forecast left = estimate_left(x, s, x->scout_due / PART, LONG_MAX);
    return (left.known ? left.likely : left.low) / (double)x->scout_due;
}

/* The further the end, the more: some thousandths of the steps so far, a quarter, or twice as
 * many. */
static uint64_t late_samples(exploration *x, strategy *s) {
    enum { NEAR = 500, FAR = 8, HOPELESS = 1 }; /* shares of each half */
    double times = left_over(x, s);
    return affordable(x, times > 1000 ? HOPELESS : times > 32 ? FAR : NEAR);
}

static const uint64_t first_times[] = {SCOUT_FIRST, 2 * SCOUT_FIRST, 500, 2000};

enum { FIRST_TIMES = sizeof first_times / sizeof *first_times, SCOUT_LATE = 32000, GROWTH = 4 };

static bool is_late(const exploration *x) {
    return x->scout_due > first_times[FIRST_TIMES - 1];
}

uint64_t scout_next(uint64_t executions) {
    for (uint32_t i = 0; i < FIRST_TIMES; i++) {
        if (executions < first_times[i]) {
            return first_times[i];
        }
    }
    uint64_t next = SCOUT_LATE;
    while (next <= executions && next <= UINT64_MAX / GROWTH) {
        next *= GROWTH;
    }
    return next > executions ? next : 0;
}

bool scout_shares(const exploration *x) {
    return !x->scout_due || is_late(x);
}

static bool look_with_preemptions(const exploration *x, uint32_t count, uint64_t executions) {
    sampling_choice pct = {.method = SAMPLING_PCT, .depth = count + 1};
    return look(x, pct, FIRST_LOWEST, executions);
}

static bool look_in_all_ways(const exploration *x, uint64_t random) {
    sampling_choice policy = {.method = SAMPLING_POLICY}, pos = {.method = SAMPLING_POS};
    uint64_t few = (random + 1) / 2;
    return look(x, policy, FIRST_HIGHEST, 1) && look(x, policy, FIRST_ROUND_ROBIN, 1) &&
           look_with_preemptions(x, 1, few) && look_with_preemptions(x, 2, few) &&
           look(x, pos, FIRST_LOWEST, random);
}

bool scout_look_after_cut(const exploration *x) {
    CHECK(x->cut);
    return !x->scout_due || look_in_all_ways(x, SAMPLES_AFTER_CUT);
}

bool scout_look(exploration *x, strategy *s, uint64_t executions) {
    if (!x->scout_due || executions < x->scout_due) {
        return true;
    }
    bool more = look_in_all_ways(x, is_late(x) ? late_samples(x, s) : first_samples(x));
    x->scout_due = scout_next(x->scout_due);
    own_status.shares = scout_shares(x);
    exploration_take_over(x, s->class);
    return more && !x->target->stale; /* they may have revealed more about the program */
}
