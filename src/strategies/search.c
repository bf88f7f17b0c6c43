#include "strategies/search.h"

void search_init(search *s, const search_rule *rule) {
    s->rule = rule;
    sleep_init(&s->sleep);
    wakeup_init(&s->forest);
    reversal_init(&s->reversal);
    vector_push(&s->roots, wakeup_new(&s->forest, 0, CHOICE_NONE, FOOTPRINT_EMPTY));
}

void search_free(search *s) {
    sleep_free(&s->sleep);
    wakeup_free(&s->forest);
    reversal_free(&s->reversal);
    vector_free(&s->roots);
    blocked_free(&s->blocked);
    touch_free(&s->touches);
    kept_operation_free(&s->candidate);
    vector_free(&s->refused);
}

/* ---- exploration phase ---- */

static bool is_awake(void *context, uint32_t thread, const operation *pending) {
    search *s = context;
    uint32_t length = execution_length(&s->base.exploration->execution);
    if (thread < s->refused.count && s->refused.items[thread]) {
        return false;
    }
    for (uint32_t i = 0; i < operation_alternatives(pending); i++) {
        if (!sleep_contains(&s->sleep, length, thread, operation_choice(pending, i))) {
            return true;
        }
    }
    s->asleep = true;
    return false;
}

/* Plans the alternatives of the thread's step that are awake and allowed; false: none are. */
static bool plan_thread(search *s, uint32_t thread, const operation *pending) {
    uint32_t length = execution_length(&s->base.exploration->execution);
    uint32_t count = operation_alternatives(pending);
    bool planned = false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t choice = operation_choice(pending, i);
        /* One alternative alone is awake, or the thread would not have been picked. */
        if ((count == 1 || !sleep_contains(&s->sleep, length, thread, choice)) &&
            (!s->rule->allows || s->rule->allows(s, thread, choice, pending))) {
            wakeup_append(&s->forest, s->roots.items[length],
                          wakeup_new(&s->forest, thread, choice, pending->footprint));
            planned = true;
        }
    }
    return planned;
}

/* The same where the target may be used for finding out. */
static bool plan_allowed(search *s, uint32_t thread) {
    exploration *x = s->base.exploration;
    const operation *pending = x->target->class->pending(x->target, thread);
    if (!s->rule->allows) {
        return plan_thread(s, thread, pending);
    }
    bool planned = plan_thread(s, thread, operation_keep(&s->candidate, pending));
    exploration_synchronise(x);
    x->picked = NULL;
    return planned;
}

static void refuse(search *s, uint32_t thread) {
    while (s->refused.count <= thread) {
        vector_push(&s->refused, false);
    }
    s->refused.items[thread] = true;
}

/* Lines 12-13: any enabled thread, with all its alternatives. */
static enum decision extend(search *s) {
    uint32_t thread;
    bool others;
    s->asleep = false;
    vector_clear(&s->refused);
    while (exploration_pick(s->base.exploration, is_awake, s, &thread, &others)) {
        if (plan_allowed(s, thread)) {
            return DECISION_STEP;
        }
        refuse(s, thread);
    }
    return s->asleep ? DECISION_REDUNDANT : s->refused.count ? DECISION_PRUNED : DECISION_MAXIMAL;
}

/* Lines 9-16. */
enum decision search_choose(strategy *base, step *next) {
    search *s = (search *)base;
    uint32_t root = s->roots.items[execution_length(&base->exploration->execution)];
    if (s->unsuited) {
        return DECISION_UNSUITED;
    }
    if (wakeup_at(&s->forest, root)->first_child == WAKEUP_NONE) {
        enum decision decision = extend(s);
        if (decision != DECISION_STEP) {
            return decision;
        }
    }
    const wakeup_node *node = wakeup_at(&s->forest, wakeup_at(&s->forest, root)->first_child);
    *next = (step){.thread = node->thread, .choice = node->choice};
    return DECISION_STEP;
}

/* Lines 17-19. */
void search_stepped(strategy *base) {
    search *s = (search *)base;
    const execution *e = &base->exploration->execution;
    uint32_t position = execution_length(e) - 1;
    const event *taken = execution_event(e, position);
    uint32_t node = wakeup_at(&s->forest, s->roots.items[position])->first_child;
    DEBUG_CHECK(wakeup_at(&s->forest, node)->footprint == taken->footprint);
    sleep_descend(&s->sleep, taken);
    vector_push(&s->roots, node);
}

/* Lines 20-21, for as many levels as have nothing left. */
bool search_backtrack(strategy *base) {
    search *s = (search *)base;
    execution *e = &base->exploration->execution;
    for (uint32_t length = execution_length(e); length-- > 0;) {
        const event *done = execution_event(e, length);
        uint32_t root = s->roots.items[length];
        s->roots.count = length + 1;
        sleep_ascend(&s->sleep, length);
        wakeup_drop_first(&s->forest, root);
        sleep_add(&s->sleep, (sleeper){done->thread, done->choice, done->footprint});
        if (wakeup_at(&s->forest, root)->first_child != WAKEUP_NONE) {
            execution_truncate(e, length);
            return true;
        }
    }
    return false;
}

/* ---- race detection phase ---- */

/* Line 6: some sleeping step after E' is a weak initial of v. */
bool search_is_redundant(search *s) {
    reversal *r = &s->reversal;
    const sleeper *end = sleep_end(&s->sleep, r->position);
    for (const sleeper *q = sleep_begin(&s->sleep, r->position); q < end; q++) {
        if (reversal_initial(r, q->thread, q->choice, q->footprint) != INITIAL_NOT) {
            return true;
        }
    }
    return false;
}

void search_insert(search *s) {
    uint32_t root = s->roots.items[s->reversal.position];
    wakeup_insert(&s->forest, root, &s->reversal);
    DEBUG_CHECK((wakeup_check(&s->forest, root), true));
}

/* The step of `thread` that, in E, comes first behind E'.notdep(e,E): can it be taken before e?
 * Where the step depends on the state it is asked for again; otherwise
 * - an acquisition can, iff e is one as well (the mutex was free before e, and what touches the
 *   mutex behind e happens after e);
 * - everything else can, once all that causes it is there. */
static void consider(search *s, uint32_t thread, const operation *op) {
    const reversal *r = &s->reversal;
    const event *first = execution_event(r->execution, r->position);
    if (op->flags & OPERATION_VARIES) {
        if (!s->rule->may_conflict(s, first, thread, op)) {
            return;
        }
        op = exploration_probe_events(s->base.exploration, r->position, r->events.items,
                                      r->events.count, thread);
        if (op && (s->rule->tries_parts || (operation_enabled(op) &&
                                            footprint_conflict(first->footprint, op->footprint)))) {
            s->rule->reverse(s, thread, op);
        }
    } else if (footprint_conflict(first->footprint, op->footprint) &&
               (!(op->flags & OPERATION_ACQUIRES) || first->acquired) &&
               reversal_has_causes(r, op->causes, op->cause_count)) {
        s->rule->reverse(s, thread, op);
    }
}

/* The event is the first of no race. */
static bool races_with_nobody(const search *s, const event *first) {
    return first->footprint == FOOTPRINT_EMPTY ||
           (!s->all_may_race && !s->blocked.threads.count && touch_is_private(&s->touches, first));
}

static bool something_varies(const execution *e) {
    for (uint32_t i = 0; i < execution_length(e); i++) {
        if (execution_event(e, i)->flags & OPERATION_VARIES) {
            return true;
        }
    }
    return false;
}

static void reverse(search *s, const execution *e, uint32_t position) {
    if (races_with_nobody(s, execution_event(e, position))) {
        return;
    }
    reversal_open(&s->reversal, position);
    for (uint32_t i = 0; i < s->reversal.after.count; i++) {
        const event *second = execution_event(e, s->reversal.after.items[i]);
        operation op = execution_operation(e, s->reversal.after.items[i]);
        consider(s, second->thread, &op);
    }
    for (uint32_t i = 0; i < s->blocked.threads.count; i++) {
        const blocked_thread *b = &s->blocked.threads.items[i];
        if (b->thread != execution_event(e, position)->thread &&
            s->reversal.end.items[b->thread] == execution_thread_events(e, b->thread)) {
            consider(s, b->thread, &b->operation);
        }
    }
}

/* Lines 2-7. */
void search_ended(strategy *base, enum decision decision) {
    search *s = (search *)base;
    const execution *e = &base->exploration->execution;
    if (decision != DECISION_MAXIMAL) {
        /* Cut short: what was planned behind is lost, but races are reversed as far as they show.
         */
        wakeup_prune(&s->forest, s->roots.items[execution_length(e)]);
    }
    blocked_collect(&s->blocked, base->exploration);
    s->all_may_race = s->rule->tries_parts && something_varies(e);
    reversal_start(&s->reversal, e);
    touch_start(&s->touches, e);
    for (uint32_t position = execution_length(e); position-- > 0;) {
        reverse(s, e, position);
        touch_pass(&s->touches, execution_event(e, position));
    }
}
