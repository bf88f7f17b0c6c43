#include "dpor/search.h"

#include "dpor/open_sections.h"
#include "dpor/smaller.h"

void search_init(search *s, const search_rule *rule) {
    s->rule = rule;
    wakeup_init(&s->forest);
    reversal_init(&s->reversal);
    vector_push(&s->roots, wakeup_new(&s->forest, 0, CHOICE_NONE, FOOTPRINT_EMPTY));
}

void search_free(search *s) {
    wakeup_free(&s->forest);
    reversal_free(&s->reversal);
    vector_free(&s->roots);
    blocked_free(&s->blocked);
    touch_free(&s->touches);
    kept_operation_free(&s->candidate);
    saved_reversal_free(&s->whole);
    vector_free(&s->refused);
}

/* Every prefix of the execution has a root. It is the first child of the root of the shorter
 * prefix, and represents the event between them. */
static void check(const search *s) {
    const execution *e = search_execution(s);
    CHECK(s->roots.count && s->roots.count <= execution_length(e) + 1);
    CHECK(s->forest.used >= s->roots.count);
    for (uint32_t length = 0; length + 1 < s->roots.count; length++) {
        const wakeup_node *root = wakeup_at(&s->forest, vector_at(&s->roots, length));
        uint32_t next = vector_at(&s->roots, length + 1);
        const wakeup_node *node = wakeup_at(&s->forest, next);
        const event *taken = execution_event(e, length);
        CHECK(root->first_child == next);
        CHECK(node->thread == taken->thread && node->choice == taken->choice);
    }
}

/* ---- exploration phase ---- */

static uint32_t first_child(const search *s, uint32_t length) {
    return wakeup_at(&s->forest, vector_at(&s->roots, length))->first_child;
}

static bool skips(const search *s, uint32_t thread, uint32_t choice) {
    return s->rule->skips && s->rule->skips(s, thread, choice);
}

static bool is_to_be_explored(void *context, uint32_t thread, const operation *pending) {
    search *s = context;
    if (thread < s->refused.count && vector_at(&s->refused, thread)) {
        return false;
    }
    if (!s->rule->skips) {
        return true;
    }
    for (uint32_t i = 0; i < operation_alternatives(pending); i++) {
        if (!s->rule->skips(s, thread, operation_choice(pending, i))) {
            return true;
        }
    }
    s->skipped = true;
    return false;
}

/* Plans the alternatives of the thread's step that are allowed and not skipped; false: there are
 * none. */
static bool plan_thread(search *s, uint32_t thread, const operation *pending) {
    uint32_t root = vector_at(&s->roots, execution_length(search_execution(s)));
    uint32_t count = operation_alternatives(pending);
    bool planned = false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t choice = operation_choice(pending, i);
        /* One alternative alone is not skipped, or the thread would not have been picked. */
        if ((count == 1 || !skips(s, thread, choice)) &&
            (!s->rule->allows || s->rule->allows(s, thread, choice, pending))) {
            wakeup_append(&s->forest, root,
                          wakeup_new(&s->forest, thread, choice, pending->footprint));
            planned = true;
        }
    }
    return planned;
}

/* The same, where the target may be used to find out. */
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
    vector_at(&s->refused, thread) = true;
}

/* How an execution ends that has no step left to take. */
static enum decision conclude(const search *s) {
    if (s->skipped) {
        return s->rule->when_skipped;
    }
    if (s->refused.count) {
        return DECISION_PRUNED;
    }
    return s->rule->is_covered && s->rule->is_covered(s) ? DECISION_REDUNDANT : DECISION_MAXIMAL;
}

/* Lines 12-13: any enabled thread, with all its alternatives. */
static enum decision extend(search *s) {
    uint32_t thread;
    bool others;
    vector_clear(&s->refused);
    while (exploration_pick(s->base.exploration, is_to_be_explored, s, &thread, &others)) {
        if (plan_allowed(s, thread)) {
            return DECISION_STEP;
        }
        refuse(s, thread);
    }
    return conclude(s);
}

/* Drops the children of the tree that must not be explored; true if there were any. */
static bool drop_children(search *s, uint32_t length) {
    bool dropped = false;
    for (uint32_t child;
         (child = first_child(s, length)) != WAKEUP_NONE && s->rule->drops(s, child);) {
        dropped = true;
    }
    return dropped;
}

void search_drop_first(search *s) {
    uint32_t length = execution_length(search_execution(s));
    wakeup_prune(&s->forest, first_child(s, length));
    wakeup_drop_first(&s->forest, vector_at(&s->roots, length));
}

/* Lines 9-16. */
enum decision search_choose(strategy *base, step *next) {
    search *s = (search *)base;
    uint32_t length = execution_length(search_execution(s));
    if (s->unsuited) {
        return DECISION_UNSUITED;
    }
    s->skipped = false;
    bool dropped = s->rule->drops && drop_children(s, length);
    uint32_t child = first_child(s, length);
    if (child == WAKEUP_NONE) {
        enum decision decision = dropped ? DECISION_PRUNED : extend(s);
        if (decision != DECISION_STEP) {
            return decision;
        }
        child = first_child(s, length);
    }
    const wakeup_node *node = wakeup_at(&s->forest, child);
    if (s->rule->is_unsuited && s->rule->is_unsuited(s, node->thread, node->choice)) {
        s->unsuited = true;
        return DECISION_UNSUITED;
    }
    *next = (step){.thread = node->thread, .choice = node->choice};
    DEBUG_CHECK(!skips(s, next->thread, next->choice));
    return DECISION_STEP;
}

/* Lines 17-19. */
void search_stepped(strategy *base) {
    search *s = (search *)base;
    const execution *e = search_execution(s);
    uint32_t position = execution_length(e) - 1, node = first_child(s, position);
    const event *taken = execution_event(e, position);
    CHECK(s->roots.count == position + 1 && node != WAKEUP_NONE);
    DEBUG_CHECK(wakeup_at(&s->forest, node)->thread == taken->thread);
    vector_push(&s->roots, node);
    s->rule->descend(s, taken);
}

/* Lines 20-21, for every level that has nothing left. */
bool search_backtrack(strategy *base) {
    search *s = (search *)base;
    execution *e = &base->exploration->execution;
    if (s->unsuited) {
        return true; /* search_choose will return that */
    }
    CHECK(s->roots.count == execution_length(e) + 1);
    for (uint32_t length = execution_length(e); length-- > 0;) {
        s->roots.count = length + 1;
        wakeup_drop_first(&s->forest, vector_at(&s->roots, length));
        s->rule->ascend(s, length, execution_event(e, length));
        if (first_child(s, length) != WAKEUP_NONE) {
            execution_truncate(e, length);
            DEBUG_INVARIANT(check(s));
            return true;
        }
    }
    CHECK(s->forest.used == 1);
    return false;
}

/* ---- race detection phase ---- */

void search_consider(search *s, uint32_t thread, const operation *op, uint32_t second) {
    const event *first = search_first(s);
    if (!(op->flags & OPERATION_VARIES) || footprint_conflict(first->footprint, op->footprint) ||
        operation_caused_by(op, first->thread, first->index)) {
        search_place(s, thread, op, second);
    }
}

const operation *search_probe(search *s, uint32_t thread) {
    reversal *r = &s->reversal;
    reversal_find_events(r);
    return exploration_probe_events(s->base.exploration, r->position, r->events.items,
                                    r->events.count, thread);
}

static bool can_be_reversed(const search *s, const operation *op) {
    return s->rule->tries_parts ||
           (operation_enabled(op) && s->rule->conflict(search_first(s)->footprint, op->footprint));
}

/* The step is a writer that readers block: reverses what lets it continue. */
static void place_without_readers(search *s, uint32_t thread, uint32_t object, uint32_t second) {
    reversal *r = &s->reversal;
    reversal_save(r, &s->whole);
    if (open_sections_leave_out(r, object) &&
        vector_at(&r->end, thread) == vector_at(&s->whole.end, thread)) {
        const operation *op = search_probe(s, thread);
        if (op && can_be_reversed(s, op)) {
            s->rule->reverse(s, thread, op, second);
        }
    }
    reversal_restore(r, &s->whole);
}

typedef struct smaller_place {
    search *search;
    uint32_t thread, second;
} smaller_place;

static bool try_smaller(void *context) {
    smaller_place *p = context;
    search *s = p->search;
    const operation *op = search_probe(s, p->thread);
    bool can = op && can_be_reversed(s, op);
    if (can) {
        s->rule->reverse(s, p->thread, op, p->second);
    }
    return can;
}

/* The step can be taken after E'.notdep(e,E), or is blocked there. */
static void place_probed(search *s, uint32_t thread, const operation *op, uint32_t second) {
    if (can_be_reversed(s, op)) {
        s->rule->reverse(s, thread, op, second);
    } else if (smaller_is_needed(op)) {
        smaller_place p = {s, thread, second};
        smaller_visit(&s->reversal, thread, op->footprint, try_smaller, &p);
    } else if (s->base.class->fine && !operation_enabled(op) &&
               operation_has_role(op->kind, ROLE_TAKES)) {
        place_without_readers(s, thread, footprint_access(op->footprint, 0).object, second);
    }
}

/* If the step depends on the state, it is probed there; otherwise
 * - an acquisition can be taken iff e is one as well (the mutex was free before e, and what touches
 *   the mutex after e happens after e);
 * - everything else can, once all its causes are there. */
void search_place(search *s, uint32_t thread, const operation *op, uint32_t second) {
    reversal *r = &s->reversal;
    const event *first = search_first(s);
    if (op->flags & OPERATION_VARIES) {
        op = search_probe(s, thread);
        if (op) {
            place_probed(s, thread, op, second);
        }
    } else if ((!(op->flags & OPERATION_ACQUIRES) || first->acquired) &&
               reversal_has_causes(r, op->causes, op->cause_count)) {
        s->rule->reverse(s, thread, op, second);
    }
}

/* The event is the first event of no race. */
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

static bool may_race(const event *first, footprint f, uint32_t flags) {
    return footprint_conflict(first->footprint, f) || flags & OPERATION_VARIES;
}

/* The step of each other thread that, in E, comes first after E'.notdep(e,E). */
static void consider_races(search *s, const execution *e, uint32_t position) {
    const reversal *r = &s->reversal;
    const event *first = execution_event(e, position);
    if (races_with_nobody(s, first)) {
        return;
    }
    s->rule->open(s, position);
    DEBUG_CHECK(r->position == position);
    for (uint32_t i = 0; i < r->after.count; i++) {
        const event *second = execution_event(e, vector_at(&r->after, i));
        if (may_race(first, second->footprint, second->flags)) {
            operation op = execution_operation(e, vector_at(&r->after, i));
            s->rule->consider(s, second->thread, &op, vector_at(&r->after, i));
        }
    }
    for (uint32_t i = 0; i < s->blocked.threads.count; i++) {
        const blocked_thread *b = &vector_at(&s->blocked.threads, i);
        if (b->thread != first->thread &&
            vector_at(&r->end, b->thread) == execution_thread_events(e, b->thread) &&
            may_race(first, b->operation.footprint, b->operation.flags)) {
            s->rule->consider(s, b->thread, &b->operation, POSITION_NONE);
        }
    }
}

/* Lines 2-7. */
void search_ended(strategy *base, enum decision decision) {
    search *s = (search *)base;
    const execution *e = search_execution(s);
    if (decision != DECISION_MAXIMAL) {
        /* The execution was cut short: what was planned after it is lost, but the races that it
         * shows are reversed. */
        wakeup_prune(&s->forest, vector_at(&s->roots, execution_length(e)));
    }
    DEBUG_INVARIANT(check(s));
    blocked_collect(&s->blocked, base->exploration);
    s->all_may_race = s->rule->tries_parts && something_varies(e);
    s->rule->start(s);
    touch_start(&s->touches, e);
    for (uint32_t position = execution_length(e); position-- > 0;) {
        consider_races(s, e, position);
        touch_pass(&s->touches, execution_event(e, position));
    }
}
