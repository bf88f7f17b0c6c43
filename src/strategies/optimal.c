/* Optimal-DPOR with wakeup trees: JACM 2017, Algorithm 2, with locks as Algorithm 4 and general
 * blocking as Algorithm 6.
 *
 * Races are looked for at maximal executions only, from the side of the earlier event: for every e
 * with w = notdep(e,E), and every other thread p whose first step outside E'.w conflicts with e
 * and can be taken after E'.w, the sequence w.p is inserted. This one rule contains the reversible
 * races of line 3 (the second event of a race is the first of its thread that happens after the
 * first), the lock races of Algorithm 4, lines 8-14 (behind an acquisition e, the next acquisition
 * by p is the first step of p outside, whatever unlocks lie between), and the awaits of Algorithm
 * 6; inserting a sequence that is not strictly needed changes nothing but the order. The proof and
 * the deviations are in docs/ALGORITHMS.md. */
#include "core/reversal.h"
#include "core/sleep.h"
#include "core/touch.h"
#include "core/wakeup.h"
#include "explore/blocked.h"

typedef struct optimal {
    strategy base;
    sleep_stack sleep;      /* sleep(E') for every prefix E' */
    wakeup_forest forest;   /* wut(E') for every prefix: */
    VECTOR(uint32_t) roots; /* by length of the prefix */
    reversal reversal;
    blocked_list blocked;
    touch_map touches;
} optimal;

static strategy *optimal_create(exploration *x) {
    (void)x;
    optimal *o = memory_resize(NULL, 0, sizeof *o);
    sleep_init(&o->sleep);
    wakeup_init(&o->forest);
    reversal_init(&o->reversal);
    vector_push(&o->roots, wakeup_new(&o->forest, 0, CHOICE_NONE, FOOTPRINT_EMPTY));
    return &o->base;
}

static void optimal_destroy(strategy *s) {
    optimal *o = (optimal *)s;
    sleep_free(&o->sleep);
    wakeup_free(&o->forest);
    reversal_free(&o->reversal);
    vector_free(&o->roots);
    blocked_free(&o->blocked);
    touch_free(&o->touches);
    memory_resize(o, sizeof *o, 0);
}

/* ---- exploration phase ---- */

static bool awake(void *context, uint32_t thread, const operation *pending) {
    const optimal *o = context;
    uint32_t length = execution_length(&o->base.exploration->execution);
    return !sleep_contains(&o->sleep, length, thread, operation_choice(pending, 0));
}

/* Lines 12-13: any enabled thread, with all its alternatives. */
static enum decision extend(optimal *o, uint32_t root) {
    exploration *x = o->base.exploration;
    uint32_t thread;
    bool refused;
    if (!exploration_pick(x, awake, o, &thread, &refused)) {
        return refused ? DECISION_REDUNDANT : DECISION_MAXIMAL;
    }
    const operation *pending = x->target->class->pending(x->target, thread);
    for (uint32_t i = 0; i < operation_alternatives(pending); i++) {
        uint32_t node =
            wakeup_new(&o->forest, thread, operation_choice(pending, i), pending->footprint);
        wakeup_append(&o->forest, root, node);
    }
    return DECISION_STEP;
}

/* Lines 9-16. */
static enum decision optimal_choose(strategy *s, step *next) {
    optimal *o = (optimal *)s;
    uint32_t root = o->roots.items[execution_length(&s->exploration->execution)];
    if (wakeup_at(&o->forest, root)->first_child == WAKEUP_NONE) {
        enum decision decision = extend(o, root);
        if (decision != DECISION_STEP) {
            return decision;
        }
    }
    const wakeup_node *node = wakeup_at(&o->forest, wakeup_at(&o->forest, root)->first_child);
    *next = (step){.thread = node->thread, .choice = node->choice};
    return DECISION_STEP;
}

/* Lines 17-19. */
static void optimal_stepped(strategy *s) {
    optimal *o = (optimal *)s;
    const execution *e = &s->exploration->execution;
    uint32_t position = execution_length(e) - 1;
    const event *taken = execution_event(e, position);
    uint32_t node = wakeup_at(&o->forest, o->roots.items[position])->first_child;
    DEBUG_CHECK(wakeup_at(&o->forest, node)->footprint == taken->footprint);
    sleep_descend(&o->sleep, taken);
    vector_push(&o->roots, node);
}

/* Lines 20-21, for as many levels as have nothing left. */
static bool optimal_backtrack(strategy *s) {
    optimal *o = (optimal *)s;
    execution *e = &s->exploration->execution;
    for (uint32_t length = execution_length(e); length-- > 0;) {
        const event *done = execution_event(e, length);
        uint32_t root = o->roots.items[length];
        o->roots.count = length + 1;
        sleep_ascend(&o->sleep, length);
        wakeup_drop_first(&o->forest, root);
        sleep_add(&o->sleep, (sleeper){done->thread, done->choice, done->footprint});
        if (wakeup_at(&o->forest, root)->first_child != WAKEUP_NONE) {
            execution_truncate(e, length);
            return true;
        }
    }
    return false;
}

/* ---- race detection phase ---- */

/* Line 6: some sleeping step after E' is a weak initial of v. */
static bool covered_by_sleep(optimal *o) {
    reversal *r = &o->reversal;
    const sleeper *end = sleep_end(&o->sleep, r->position);
    for (const sleeper *q = sleep_begin(&o->sleep, r->position); q < end; q++) {
        if (reversal_initial(r, q->thread, q->choice, q->footprint) != INITIAL_NOT) {
            return true;
        }
    }
    return false;
}

/* Lines 5-7, for every alternative that the step has in its new place. */
static void insert(optimal *o, uint32_t thread, const operation *op) {
    for (uint32_t i = 0; i < operation_alternatives(op); i++) {
        reversal_set_last(&o->reversal, thread, operation_choice(op, i), op);
        if (!covered_by_sleep(o)) {
            uint32_t root = o->roots.items[o->reversal.position];
            wakeup_insert(&o->forest, root, &o->reversal);
            DEBUG_CHECK((wakeup_check(&o->forest, root), true));
        }
    }
}

/* The step of `thread` that, in E, comes first behind E'.notdep(e,E): can it be taken before e?
 * Where the step depends on the state it is asked for again; otherwise
 * - an acquisition can, iff e is one as well (the mutex was free before e, and what touches the
 *   mutex behind e happens after e);
 * - everything else can, once all that causes it is there. */
static void consider(optimal *o, uint32_t thread, const operation *op) {
    const reversal *r = &o->reversal;
    const event *first = execution_event(r->execution, r->position);
    if (op->flags & OPERATION_VARIES) {
        if (!footprint_conflict(first->footprint, op->footprint) &&
            !operation_caused_by(op, first->thread, first->index)) {
            return;
        }
        op = exploration_probe_events(o->base.exploration, r->position, r->events.items,
                                      r->events.count, thread);
        if (op && operation_enabled(op) && footprint_conflict(first->footprint, op->footprint)) {
            insert(o, thread, op);
        }
    } else if (footprint_conflict(first->footprint, op->footprint) &&
               (!(op->flags & OPERATION_ACQUIRES) || first->acquired) &&
               reversal_has_causes(r, op->causes, op->cause_count)) {
        insert(o, thread, op);
    }
}

/* The event is the first of no race. */
static bool races_with_nobody(const optimal *o, const event *first) {
    return first->footprint == FOOTPRINT_EMPTY ||
           (!o->blocked.threads.count && touch_is_private(&o->touches, first));
}

static void reverse(optimal *o, const execution *e, uint32_t position) {
    if (races_with_nobody(o, execution_event(e, position))) {
        return;
    }
    reversal_open(&o->reversal, position);
    for (uint32_t i = 0; i < o->reversal.after.count; i++) {
        const event *second = execution_event(e, o->reversal.after.items[i]);
        operation op = execution_operation(e, o->reversal.after.items[i]);
        consider(o, second->thread, &op);
    }
    for (uint32_t i = 0; i < o->blocked.threads.count; i++) {
        const blocked_thread *b = &o->blocked.threads.items[i];
        if (b->thread != execution_event(e, position)->thread &&
            o->reversal.end.items[b->thread] == execution_thread_events(e, b->thread)) {
            consider(o, b->thread, &b->operation);
        }
    }
}

/* Lines 2-7. */
static void optimal_ended(strategy *s, enum decision decision) {
    optimal *o = (optimal *)s;
    const execution *e = &s->exploration->execution;
    if (decision != DECISION_MAXIMAL) {
        /* Cut short: what was planned behind is lost, but races are reversed as far as they show.
         */
        wakeup_prune(&o->forest, o->roots.items[execution_length(e)]);
    }
    blocked_collect(&o->blocked, s->exploration);
    reversal_start(&o->reversal, e);
    touch_start(&o->touches, e);
    for (uint32_t position = execution_length(e); position-- > 0;) {
        reverse(o, e, position);
        touch_pass(&o->touches, execution_event(e, position));
    }
}

extern const strategy_class strategy_optimal;
const strategy_class strategy_optimal = {
    .name = "optimal",
    .summary = "optimal-DPOR with wakeup trees: every trace once (JACM 2017, Algorithms 2, 4, 6)",
    .create = optimal_create,
    .destroy = optimal_destroy,
    .choose = optimal_choose,
    .stepped = optimal_stepped,
    .ended = optimal_ended,
    .backtrack = optimal_backtrack,
};
