/* ISSTA 2019, Algorithm 1, as published. */
#include "dpor/published/published.h"
#include "dpor/sleep.h"

typedef struct published_context {
    published published; /* first: it is one */
    sleep_stack sleep;   /* the done sets, as sleep sets */
} published_context;

static void descend(search *s, const event *taken) {
    sleep_descend(&((published_context *)s)->sleep, taken);
    published_descend(s, taken);
}

static void ascend(search *s, uint32_t length, const event *done) {
    sleep_stack *sleep = &((published_context *)s)->sleep;
    sleep_ascend(sleep, length);
    sleep_add(sleep, sequence_step_of(done));
    published_ascend(s, length, done);
}

static bool is_ordered(const published *p, const uint32_t *sequence, uint32_t count, uint32_t a,
                       uint32_t b) {
    CHECK(a < b && b < count);
    return footprint_conflict(published_event(p, sequence[a])->footprint,
                              published_event(p, sequence[b])->footprint);
}

/* Lines 29-30: the sequence begins with the step, or is independent of it. */
static bool inherits(const step_sequence *s, const event *taken, uint32_t *at) {
    if (sequence_contains(s, taken->thread)) {
        *at = 0;
        return vector_at(s, 0).thread == taken->thread && vector_at(s, 0).choice == taken->choice;
    }
    *at = s->count;
    return sequence_is_independent(s->items, s->count, taken->footprint);
}

/* The step is in WI(plan), by conflicts of footprints. */
static bool is_initial(const published *p, const sleeper *step) {
    for (uint32_t i = 0; i < p->plan.count; i++) {
        const sleeper *s = &vector_at(&p->plan, i);
        if (s->thread == step->thread) {
            return s->choice == step->choice &&
                   sequence_is_independent(p->plan.items, i, s->footprint);
        }
    }
    return sequence_is_independent(p->plan.items, p->plan.count, step->footprint);
}

static bool is_weak_initial(void *context, const wakeup_node *child) {
    return is_initial(context, &(sleeper){child->thread, child->choice, child->footprint});
}

static bool is_redundant(published *p, uint32_t length) {
    const sleep_stack *sleep = &((published_context *)p)->sleep;
    const sleeper *end = sleep_end(sleep, length);
    for (const sleeper *q = sleep_begin(sleep, length); q < end; q++) {
        if (is_initial(p, q)) {
            return true;
        }
    }
    return false;
}

static const published_rule rule = {
    .search = {PUBLISHED_RULE, .descend = descend, .ascend = ascend},
    .is_ordered = is_ordered,
    .inherits = inherits,
    .is_redundant = is_redundant,
    .is_weak_initial = is_weak_initial,
    .reverse = published_reverse,
};

static void published_context_init(strategy *s) {
    published_context *p = (published_context *)s;
    published_init(&p->published, &rule);
    sleep_init(&p->sleep);
}

static void published_context_free(strategy *s) {
    published_context *p = (published_context *)s;
    published_free(&p->published);
    sleep_free(&p->sleep);
}

extern const strategy_class strategy_published_context;
const strategy_class strategy_published_context = {
    .name = "published-context",
    .summary = "ISSTA 2019, Algorithm 1, as published: may miss behaviours",
    .size = sizeof(published_context),
    .init = published_context_init,
    .free = published_context_free,
    PUBLISHED_STRATEGY,
};
