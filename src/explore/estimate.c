#include "explore/estimate.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>

enum { LENGTHS = 128, RANKS = 32, STRATA = LENGTHS * RANKS };

/* Similar pieces of one level; one of them represents all. */
typedef struct stratum {
    double weight; /* how many pieces of the tree it represents; 0: there is none */
    bytes work;
} stratum;

typedef struct level {
    stratum strata[STRATA];
    VECTOR(uint16_t) used; /* those that have a weight */
} level;

enum { PROBES_LEAST = 3, PROBES_MOST = 200, OVERRUN = 4 };

typedef struct probing {
    exchange exchange;
    sink sink;
    strategy *subject;
    random_source random;
    level levels[2];
    uint32_t present;           /* which of the two is being run */
    double weight;              /* of the execution that is being run */
    double total;               /* of this probe */
    double totals[PROBES_MOST]; /* of those that have ended */
    uint32_t probes;
    uint64_t executions, most; /* of all probes */
    clock_t start, time;       /* processor time of all of them */
    uint32_t longest;          /* execution */
} probing;

/* ---- strata ---- */

static uint16_t stratum_of(const probing *p, uint32_t length, uint32_t rank) {
    uint32_t row = (uint32_t)((uint64_t)length * LENGTHS / (p->longest + 1));
    row = row < LENGTHS ? row : LENGTHS - 1;
    rank = rank < RANKS ? rank : RANKS - 1;
    static_assert(STRATA <= UINT16_MAX, "a stratum has a number of sixteen bits");
    return (uint16_t)(row * RANKS + rank);
}

static double random_real(random_source *r) {
    return (double)(random_next(r) >> 11) / 9007199254740992.0;
}

/* The pieces of the strategy, each with that weight. A piece of a stratum is chosen with a
 * probability proportional to its weight. */
static void add_pieces(probing *p, level *to, strategy *s, double weight) {
    const strategy_work *work = s->class->work;
    uint32_t count = work->count(s);
    for (uint32_t i = 0; i < count; i++) {
        uint16_t number = stratum_of(p, work->length(s, i), count - i);
        stratum *alike = &to->strata[number];
        if (alike->weight == 0) {
            vector_push(&to->used, number);
        }
        alike->weight += weight;
        if (random_real(&p->random) * alike->weight < weight) {
            alike->work.content.count = 0;
            work->encode(s, i, 1, &alike->work);
        }
    }
}

/* ---- probes ---- */

/* Running probes are stopped, whatever they have found. */
static bool is_too_much(const probing *p) {
    return p->executions >= OVERRUN * p->most || clock() - p->start >= p->time;
}

/* No new probe begins. There must be time for probes that have begun to end: the largest take the
 * longest, and without them the estimate would be too low. */
static bool is_enough(const probing *p) {
    bool enough = p->executions >= p->most || clock() - p->start >= p->time / 2;
    return p->probes == PROBES_MOST || (enough && p->probes >= PROBES_LEAST) || is_too_much(p);
}

/* Continues on the next level, or with another probe from the top. False: everything is done. */
static bool descend(probing *p) {
    p->present = !p->present;
    if (p->levels[p->present].used.count) {
        return true;
    }
    CHECK(p->probes < PROBES_MOST);
    p->totals[p->probes++] = p->total;
    p->total = 0;
    if (is_enough(p)) {
        return false;
    }
    add_pieces(p, &p->levels[p->present], p->subject, 1);
    return true;
}

static bool take_next(exchange *e, strategy *s) {
    probing *p = (probing *)e;
    if (is_too_much(p) || (!p->levels[p->present].used.count && !descend(p))) {
        return false;
    }
    level *from = &p->levels[p->present];
    stratum *next = &from->strata[vector_pop(&from->used)];
    byte_reader r = byte_reader_of(next->work.content.items, next->work.content.count);
    CHECK(next->weight > 0 && next->work.content.count);
    p->weight = next->weight;
    next->weight = 0;
    return s->class->work->decode(s, &r);
}

/* An execution has ended: the work that it leaves is sampled, and not done here. */
static bool take_pieces(exchange *e, strategy *s) {
    probing *p = (probing *)e;
    CHECK(s != p->subject);
    add_pieces(p, &p->levels[!p->present], s, p->weight);
    s->class->work->drop(s, s->class->work->count(s));
    return true;
}

static const exchange_class probing_class = {.serve = take_pieces, .refill = take_next};

static void executed(sink *s, const exploration *x, enum target_ending ending) {
    probing *p = (probing *)((char *)s - offsetof(probing, sink));
    uint32_t length = execution_length(&x->execution);
    (void)ending;
    p->executions++;
    p->total += p->weight;
    p->longest = length > p->longest ? length : p->longest;
}

static bool ignore(sink *s, const exploration *x, const program_error *found) {
    (void)s, (void)x, (void)found;
    return true;
}

static const sink_class probing_sink = {.executed = executed, .error = ignore};

/* ---- results ---- */

/* What a probe that was stopped has found at least: each piece that it had left is at least one
 * execution. */
static double least_of_stopped(const probing *p) {
    double least = p->total;
    for (uint32_t i = 0; i < 2; i++) {
        const level *l = &p->levels[i];
        for (uint32_t j = 0; j < l->used.count; j++) {
            least += l->strata[vector_at(&l->used, j)].weight;
        }
    }
    return least;
}

/* It counts as a probe if it is more than what the others have found in total. */
static void count_stopped(probing *p) {
    double sum = 0, least = least_of_stopped(p);
    for (uint32_t i = 0; i < p->probes; i++) {
        sum += p->totals[i];
    }
    if (p->probes >= PROBES_LEAST && p->probes < PROBES_MOST && least * p->probes > sum) {
        p->totals[p->probes++] = least;
    }
}

/* The totals of probes are spread like products of many factors: their logarithms show how far the
 * mean may be off (Cox's interval for the mean of a lognormal distribution). A few probes may be
 * close to each other and all too low, because most of the tree is where few probes get to: their
 * interval is wider. The constants make it hold for the programs with known numbers of executions
 * in nine cases of ten. */
static forecast judge(const probing *p) {
    double sum = 0, logs = 0, squares = 0, count = p->probes;
    forecast f = {0};
    if (p->probes < PROBES_LEAST) {
        f.low = least_of_stopped(p);
        return f;
    }
    for (uint32_t i = 0; i < p->probes; i++) {
        double y = log(p->totals[i] > 1 ? p->totals[i] : 1);
        sum += p->totals[i];
        logs += y;
        squares += y * y;
    }
    double spread = (squares - logs * logs / count) / (count - 1);
    spread = spread > 0 ? spread : 0;
    double error = sqrt(spread / count + spread * spread / (2 * (count - 1)));
    double margin = 2 * error + 0.2 + 2 / count;
    f.known = true;
    f.likely = sum / count;
    f.low = f.likely * exp(-margin);
    f.high = f.likely * exp(margin);
    return f;
}

static void probe(probing *p, const exploration *x) {
    exploration ahead;
    exploration_init(&ahead, x->target, &p->sink);
    ahead.limits = x->limits;
    ahead.limits.max_executions = 0;
    ahead.limits.stop_at_cut = false;
    ahead.first = x->first;
    ahead.exchange = &p->exchange;
    exploration_run(&ahead, p->subject->class);
    exploration_free(&ahead);
}

static void free_level(level *l) {
    for (uint32_t i = 0; i < STRATA; i++) {
        bytes_free(&l->strata[i].work);
    }
    vector_free(&l->used);
}

forecast estimate_left(exploration *x, strategy *s, uint64_t executions, clock_t time) {
    static const volatile uint32_t always = 1;
    CHECK(s->class->work && executions);
    if (!s->class->work->count(s)) {
        return (forecast){.known = true};
    }
    probing *p = memory_resize(NULL, 0, sizeof *p);
    p->exchange = (exchange){.class = &probing_class, .wanted = &always, .starts_empty = true};
    p->sink.class = &probing_sink;
    p->subject = s;
    p->random.state = executions;
    p->most = executions;
    p->start = clock();
    p->time = time;
    p->longest = execution_length(&x->execution);
    add_pieces(p, &p->levels[0], s, 1);
    probe(p, x);
    exploration_take_over(x, s->class);
    count_stopped(p);
    forecast f = judge(p);
    free_level(&p->levels[0]);
    free_level(&p->levels[1]);
    memory_resize(p, sizeof *p, 0);
    return f;
}
