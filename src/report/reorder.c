#include "report/reorder.h"

#include <stdlib.h>

#include "report/chains.h"
#include "report/fewest.h"

enum { MOST_STEPS = 2000 }; /* of a schedule; choosing an order takes more than linear time */

typedef struct attempt {
    uint32_t needed; /* a step other than the last one */
    uint32_t size;   /* steps that come before one of the two */
} attempt;

typedef struct reordering {
    sink sink; /* first */
    rerun *rerun;
    chain_steps chains;
    VECTOR(attempt) attempts;
    VECTOR(step_list) schedules; /* from the one with the fewest steps on */
    bool needs_all;
    bool begun;
} reordering;

/* ---- which steps ---- */

/* Marks the last step and one other, with their predecessors; returns how many these are. */
static uint32_t want_pair(chain_steps *chains, uint32_t needed) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < chains->count; i++) {
        vector_at(chains, i).wanted = false;
    }
    chains_want(chains, chains->count - 1);
    chains_want(chains, needed);
    for (uint32_t i = 0; i < chains->count; i++) {
        count += vector_at(chains, i).wanted;
    }
    return count;
}

static int compare_attempts(const void *a, const void *b) {
    const attempt *one = a, *other = b;
    return one->size != other->size       ? (one->size < other->size ? -1 : 1)
           : one->needed != other->needed ? (one->needed < other->needed ? -1 : 1)
                                          : 0;
}

/* Attempts with the last step alone (as its own partner), and with each of the others. */
static void list_attempts(reordering *o) {
    uint32_t last = o->chains.count - 1;
    for (uint32_t i = 0; i <= last && !o->needs_all; i++) {
        vector_push(&o->attempts, (attempt){i, want_pair(&o->chains, i)});
    }
    if (o->attempts.count) {
        qsort(o->attempts.items, o->attempts.count, sizeof *o->attempts.items, compare_attempts);
    }
}

/* ---- in which order ---- */

static void add_schedule(reordering *o, strategy *s) {
    step_numbers order = {0};
    step_list steps = {0};
    chains_order(&o->chains, !o->needs_all, &order);
    vector_resize(&steps, order.count);
    s->class->given->arrange(s, &order, steps.items);
    vector_push(&o->schedules, steps);
    vector_free(&order);
}

/* The step comes before the last one anyway, which the first attempt covers. */
static bool is_repeated(const reordering *o, uint32_t i) {
    uint32_t first = vector_at(&o->attempts, 0).size, size = vector_at(&o->attempts, i).size;
    return i && size == first;
}

static bool gather(sink *base, const exploration *x, strategy *s) {
    reordering *o = (reordering *)base;
    const step *steps = x->given;
    for (uint32_t i = 0; i < x->given_count; i++) {
        vector_push(&o->chains, (chain_step){.thread = steps[i].thread, .wanted = true});
        s->class->given->before(s, i, &vector_last(&o->chains).before);
    }
    list_attempts(o);
    for (uint32_t i = 0; i < o->attempts.count; i++) {
        if (!is_repeated(o, i)) {
            want_pair(&o->chains, vector_at(&o->attempts, i).needed);
            add_schedule(o, s);
        }
    }
    for (uint32_t i = 0; i < o->chains.count; i++) {
        vector_at(&o->chains, i).wanted = true;
    }
    add_schedule(o, s);
    return false;
}

static bool take_note(sink *s, const exploration *x, strategy *strategy) {
    (void)x, (void)strategy;
    ((reordering *)s)->begun = true;
    return false;
}

static void executed(sink *s, const exploration *x, enum target_ending ending) {
    (void)s, (void)x, (void)ending;
}

static bool ignore(sink *s, const exploration *x, const program_error *e) {
    (void)s, (void)x, (void)e;
    return true;
}

static void follow(reordering *o, const sink_class *class, const step_list *steps) {
    exploration x;
    o->sink.class = class;
    exploration_init(&x, o->rerun->target, &o->sink);
    x.model = o->rerun->model;
    x.given = steps->items;
    x.given_count = steps->count;
    exploration_run(&x, o->rerun->algorithm);
    o->rerun->given_up = o->rerun->given_up || o->rerun->target->stale;
    exploration_free(&x);
}

/* ---- whether it shows the error ---- */

/* The model allows the schedule. */
static bool is_allowed(reordering *o, const step_list *steps) {
    static const sink_class class = {.begun = take_note, .executed = executed, .error = ignore};
    o->begun = false;
    follow(o, &class, steps);
    return o->begun && !o->rerun->given_up;
}

static bool is_simpler(const step_list *a, const step_list *b) {
    uint32_t one = fewest_count(a), other = fewest_count(b);
    return one < other || (one == other && a->count < b->count);
}

static bool shows_error(reordering *o, const step_list *steps, uint32_t tolerated) {
    rerun *r = o->rerun;
    return rerun_steps(r, steps->items, steps->count) == steps->count &&
           r->other_errors <= tolerated && is_allowed(o, steps);
}

static void choose(reordering *o, found_error *f, uint32_t tolerated) {
    for (uint32_t i = 0; i < o->schedules.count && !rerun_is_over(o->rerun); i++) {
        step_list *tried = &vector_at(&o->schedules, i);
        if (is_simpler(tried, &f->steps) && shows_error(o, tried, tolerated)) {
            vector_assign(&f->steps, tried->items, tried->count);
            return;
        }
    }
}

static void free_reordering(reordering *o) {
    for (uint32_t i = 0; i < o->schedules.count; i++) {
        vector_free(&vector_at(&o->schedules, i));
    }
    chains_free(&o->chains);
    vector_free(&o->attempts);
    vector_free(&o->schedules);
}

void reorder(rerun *r, found_error *f) {
    static const sink_class class = {.begun = gather, .executed = executed, .error = ignore};
    reordering o = {.rerun = r, .needs_all = error_is_stuck(f->kind) || f->kind == ERROR_LEAK};
    if (f->steps.count > MOST_STEPS) {
        return;
    }
    follow(&o, &class, &f->steps);
    /* If the error occurs again, it can be searched for in this way. */
    if (!r->given_up && rerun_steps(r, f->steps.items, f->steps.count) == f->steps.count) {
        choose(&o, f, r->other_errors);
    }
    free_reordering(&o);
}
