#include "explore/scout.h"

#include "base/witness.h"

/* ---- who is told ---- */

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

/* ---- the order of threads ---- */

enum order { HIGHEST_FIRST, IN_TURNS, AT_RANDOM, BY_PRIORITY, ORDER_COUNT };
enum { MOST_SWITCHES = 3 };

typedef struct scout {
    strategy base;
    uint64_t number; /* of the execution; its order and all that is drawn for it depend on this */
    uint32_t length; /* of the longest one so far */
    random_source random;
    enum order order;
    uint32_t switches[MOST_SWITCHES]; /* where the thread that runs falls behind all others */
    uint32_t switch_count;
    VECTOR(uint64_t) ranks; /* of threads, by their numbers */
} scout;

static void start(scout *s) {
    s->random.state = s->number;
    s->order = (enum order)(s->number % ORDER_COUNT);
    s->switch_count = (uint32_t)(s->number / ORDER_COUNT % (MOST_SWITCHES + 1));
    for (uint32_t i = 0; i < s->switch_count; i++) {
        s->switches[i] = random_below(&s->random, s->length + 1);
    }
    vector_clear(&s->ranks);
}

static uint64_t *rank(scout *s, uint32_t thread) {
    while (s->ranks.count <= thread) {
        uint32_t next = s->ranks.count;
        vector_push(&s->ranks, s->order == HIGHEST_FIRST || s->order == IN_TURNS
                                   ? (uint64_t)next + UINT32_MAX
                                   : (random_next(&s->random) >> 1) + UINT32_MAX);
    }
    return &vector_at(&s->ranks, thread);
}

/* Who has just run falls behind: at every step, or at those that were drawn. */
static void move(scout *s, uint32_t thread, uint32_t length) {
    bool falls = s->order == IN_TURNS;
    for (uint32_t i = 0; i < s->switch_count && s->order == BY_PRIORITY; i++) {
        falls = falls || s->switches[i] == length;
    }
    if (s->order == AT_RANDOM) {
        *rank(s, thread) = (random_next(&s->random) >> 1) + UINT32_MAX;
    } else if (falls) {
        *rank(s, thread) = UINT32_MAX - 1 - length;
    }
}

/* ---- the strategy ---- */

/* The exploration's random source has the number of the first execution. */
static void init(strategy *base) {
    ((scout *)base)->number = base->exploration->random.state;
}

static void scout_free(strategy *base) {
    vector_free(&((scout *)base)->ranks);
}

static enum decision choose(strategy *base, step *next) {
    scout *s = (scout *)base;
    const exploration *x = base->exploration;
    const operation *best = NULL;
    uint32_t length = execution_length(&x->execution);
    if (length == 0) {
        start(s);
    }
    for (uint32_t t = 0; t < x->target->class->thread_count(x->target); t++) {
        const operation *pending = x->target->class->pending(x->target, t);
        bool yields = pending && operation_has_role(pending->kind, ROLE_YIELDS);
        if (pending && operation_enabled(pending) &&
            (!best || (!yields && *rank(s, t) > *rank(s, next->thread)))) {
            best = pending;
            next->thread = t;
        }
    }
    if (!best) {
        return DECISION_MAXIMAL;
    }
    uint32_t count = operation_alternatives(best);
    next->choice = operation_choice(best, count > 1 ? random_below(&s->random, count) : 0);
    move(s, next->thread, length);
    return DECISION_STEP;
}

static void stepped(strategy *base) {
    (void)base;
}

static void ended(strategy *base, enum decision decision) {
    (void)decision;
    scout *s = (scout *)base;
    uint32_t length = execution_length(&base->exploration->execution);
    s->length = length > s->length ? length : s->length;
    s->number++;
}

static bool backtrack(strategy *base) {
    execution_truncate(&base->exploration->execution, 0);
    return true;
}

static const strategy_class scout_class = {
    .name = "scout",
    .size = sizeof(scout),
    .init = init,
    .free = scout_free,
    .choose = choose,
    .stepped = stepped,
    .ended = ended,
    .backtrack = backtrack,
};

/* ---- when and how many ---- */

enum { SHARE = 10, LONGER = 4, LONGER_STEPS = 1000 };

static exploration_limits limits_of(const exploration *x) {
    uint64_t most = LONGER * (uint64_t)execution_length(&x->execution) + LONGER_STEPS;
    exploration_limits limits = x->limits;
    limits.stop_at_cut = false;
    limits.max_executions = x->scout_due / SHARE;
    limits.max_steps = limits.max_steps && limits.max_steps < most ? limits.max_steps : most;
    return limits;
}

uint64_t scout_next(uint64_t executions) {
    return executions < SCOUT_FIRST ? SCOUT_FIRST : executions < SCOUT_LAST ? SCOUT_LAST : 0;
}

bool scout_look(exploration *x, const strategy_class *class, uint64_t executions) {
    if (!x->scout_due || executions < x->scout_due) {
        return true;
    }
    scout_sink errors = {.sink.class = &scout_sink_class, .receiver = x->sink};
    exploration ahead;
    exploration_init(&ahead, x->target, &errors.sink);
    ahead.limits = limits_of(x);
    ahead.random.state = x->scout_due == SCOUT_FIRST ? 0 : SCOUT_FIRST;
    exploration_run(&ahead, &scout_class);
    exploration_free(&ahead);
    x->scout_due = scout_next(x->scout_due);
    own_status.shares = !x->scout_due;
    exploration_take_over(x, class);
    return !errors.stopped;
}
