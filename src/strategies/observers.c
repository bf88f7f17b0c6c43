/* Optimal-DPOR with observers: TACAS 2018, Algorithm 1, corrected as docs/ALGORITHMS.md says.
 *
 * Two writes race only if somebody observes the later one. To reverse such a race, the wakeup
 * sequence has to contain an observer, behind both writes in their new order (line 8); every other
 * race is reversed as in optimal-DPOR (line 10). Instead of sleep sets every prefix has a watch,
 * which decides redundancy (line 11) in one pass. */
#include "core/dontdo.h"
#include "core/observed.h"
#include "core/remembered.h"
#include "core/touch.h"
#include "core/wakeup.h"
#include "core/watch.h"
#include "explore/blocked.h"
#include "explore/comparison.h"
#include "strategies/observers_check.h"

typedef VECTOR(uint32_t) race_tags;

typedef struct observers {
    strategy base;
    wakeup_forest forest;
    VECTOR(uint32_t) roots; /* wut(E'), by length of the prefix */
    VECTOR(watch) watches;  /* done(E') and what the earlier ones have become, likewise */
    uint32_t depth;         /* watches in use; the others keep their memory */
    observed_order order;
    uint32_t same; /* events at the start that are the same as when the order was computed */
    blocked_list blocked;
    touch_map touches;
    VECTOR(uint32_t) rows; /* a row per thread: `counts` of its last event that was looked at */
    /* Of the event e at hand: */
    uint32_t position;
    const uint32_t *counts; /* events per thread in E'.notdep(e,E) */
    VECTOR(uint32_t) after; /* the first event of each other thread that happens after e */
    bool has_notdep;
    VECTOR(uint32_t) notdep; /* positions; if has_notdep */
    VECTOR(uint32_t) readers;
    planned plan; /* the sequence that may be explored */
    VECTOR(step) steps;
    VECTOR(step) path; /* from the root of the tree to the node that is looked at */
    watch node;        /* the mail at that node */
    watch trial;
    observers_check *check; /* debug builds only */
    /* Only if states are compared (context-observers, as context.c does it): */
    bool compares;
    bool refused_by_state;
    bool unsuited; /* something awaits */
    dontdo_stack dontdo;
    remembered_pool remembered;
    planned inserted;
    comparison comparison;
    kept_operation kept;
    execution swapped;
    observed_order swapped_order;
    VECTOR(race_tags) refuted; /* by length: races of the present child that are essential */
} observers;

static const execution *execution_of(const observers *o) {
    return &o->base.exploration->execution;
}

static strategy *observers_create(exploration *x) {
    (void)x;
    observers *o = memory_resize(NULL, 0, sizeof *o);
    wakeup_init(&o->forest);
    vector_push(&o->roots, wakeup_new(&o->forest, 0, CHOICE_NONE, FOOTPRINT_EMPTY));
    vector_push(&o->watches, (watch){0});
    o->depth = 1;
    o->check = observers_check_new();
    dontdo_init(&o->dontdo);
    remembered_init(&o->remembered);
    execution_init(&o->swapped);
    return &o->base;
}

static strategy *context_observers_create(exploration *x) {
    strategy *s = observers_create(x);
    ((observers *)s)->compares = true;
    return s;
}

static void observers_destroy(strategy *s) {
    observers *o = (observers *)s;
    s->exploration->dont_do = o->dontdo.most;
    observers_check_free(o->check);
    wakeup_free(&o->forest);
    vector_free(&o->roots);
    for (uint32_t i = 0; i < o->watches.count; i++) {
        watch_free(&o->watches.items[i]);
    }
    vector_free(&o->watches);
    observed_order_free(&o->order);
    blocked_free(&o->blocked);
    touch_free(&o->touches);
    vector_free(&o->rows);
    vector_free(&o->after);
    vector_free(&o->notdep);
    vector_free(&o->readers);
    planned_free(&o->plan);
    planned_free(&o->inserted);
    remembered_free(&o->remembered);
    dontdo_free(&o->dontdo);
    comparison_free(&o->comparison);
    kept_operation_free(&o->kept);
    execution_free(&o->swapped);
    observed_order_free(&o->swapped_order);
    for (uint32_t i = 0; i < o->refuted.count; i++) {
        vector_free(&o->refuted.items[i]);
    }
    vector_free(&o->refuted);
    vector_free(&o->steps);
    vector_free(&o->path);
    watch_free(&o->node);
    watch_free(&o->trial);
    memory_resize(o, sizeof *o, 0);
}

/* ---- exploration phase ---- */

static bool is_pruned(const observers *o, uint32_t thread, uint32_t choice) {
    return o->compares &&
           dontdo_contains(&o->dontdo, execution_length(execution_of(o)), thread, choice);
}

static bool is_to_be_done(void *context, uint32_t thread, const operation *pending) {
    observers *o = context;
    for (uint32_t i = 0; i < operation_alternatives(pending); i++) {
        if (!is_pruned(o, thread, operation_choice(pending, i))) {
            return true;
        }
    }
    o->refused_by_state = true;
    return false;
}

/* Lines 17-18: any enabled thread, with all its alternatives. */
static enum decision extend(observers *o, uint32_t root) {
    exploration *x = o->base.exploration;
    uint32_t thread;
    bool refused;
    o->refused_by_state = false;
    if (!exploration_pick(x, is_to_be_done, o, &thread, &refused)) {
        return o->refused_by_state ? DECISION_PRUNED
               : watch_left(&o->watches.items[execution_length(execution_of(o))])
                   ? DECISION_REDUNDANT
                   : DECISION_MAXIMAL;
    }
    const operation *pending = x->target->class->pending(x->target, thread);
    for (uint32_t i = 0; i < operation_alternatives(pending); i++) {
        uint32_t choice = operation_choice(pending, i);
        if (!is_pruned(o, thread, choice)) {
            wakeup_append(&o->forest, root,
                          wakeup_new(&o->forest, thread, choice, pending->footprint));
        }
    }
    return DECISION_STEP;
}

static void drop_first(observers *, uint32_t length);

/* Drops the children that are not to be done; whether there were any. */
static bool prune_tree(observers *o, uint32_t length) {
    bool pruned = false;
    for (;;) {
        uint32_t child = wakeup_at(&o->forest, o->roots.items[length])->first_child;
        if (child == WAKEUP_NONE) {
            return pruned;
        }
        const wakeup_node *first = wakeup_at(&o->forest, child);
        if (!is_pruned(o, first->thread, first->choice)) {
            return pruned;
        }
        drop_first(o, length);
        pruned = true;
    }
}

/* Lines 13-20. */
static enum decision observers_choose(strategy *s, step *next) {
    observers *o = (observers *)s;
    uint32_t length = execution_length(execution_of(o));
    uint32_t root = o->roots.items[length];
    if (o->unsuited) {
        return DECISION_UNSUITED;
    }
    bool pruned = o->compares && prune_tree(o, length);
    if (wakeup_at(&o->forest, root)->first_child == WAKEUP_NONE) {
        enum decision decision = pruned ? DECISION_PRUNED : extend(o, root);
        if (decision != DECISION_STEP) {
            return decision;
        }
    }
    const wakeup_node *node = wakeup_at(&o->forest, wakeup_at(&o->forest, root)->first_child);
    *next = (step){.thread = node->thread, .choice = node->choice};
    return DECISION_STEP;
}

/* Lines 21-22. */
static void observers_stepped(strategy *s) {
    observers *o = (observers *)s;
    uint32_t position = execution_length(execution_of(o)) - 1;
    const event *taken = execution_event(execution_of(o), position);
    uint32_t node = wakeup_at(&o->forest, o->roots.items[position])->first_child;
    DEBUG_CHECK(wakeup_at(&o->forest, node)->footprint == taken->footprint);
    vector_push(&o->roots, node);
    /* As an observer it may have other alternatives where the writes are swapped. */
    o->unsuited |= taken->kind == OPERATION_ATOMIC && taken->choice != CHOICE_NONE;
    if (o->watches.count == o->depth) {
        vector_push(&o->watches, (watch){0});
    }
    watch *next = &o->watches.items[o->depth++];
    watch_copy(next, &o->watches.items[position]);
    watch_pass(next, taken->thread, taken->choice, taken->footprint);
    if (o->compares) {
        dontdo_descend(&o->dontdo, taken);
        if (o->refuted.count <= position) {
            vector_push(&o->refuted, (race_tags){0});
        }
        vector_clear(&o->refuted.items[position]);
        if (wakeup_at(&o->forest, node)->first_child == WAKEUP_NONE) {
            remembered_drop(&o->remembered, remembered_take(&o->remembered, &o->forest, node));
        }
    }
}

/* Lines 23-24, for as many levels as have nothing left. */
static bool observers_backtrack(strategy *s) {
    observers *o = (observers *)s;
    execution *e = &s->exploration->execution;
    if (o->unsuited) {
        return true; /* choose says so */
    }
    for (uint32_t length = execution_length(e); length-- > 0;) {
        const event *done = execution_event(e, length);
        uint32_t root = o->roots.items[length];
        o->roots.count = o->depth = length + 1;
        if (o->compares) {
            dontdo_ascend(&o->dontdo, length);
        }
        wakeup_drop_first(&o->forest, root);
        watch_add(&o->watches.items[length], done->thread, done->choice, done->footprint);
        observers_check_done(o->check, length, (step){done->thread, done->choice});
        if (wakeup_at(&o->forest, root)->first_child != WAKEUP_NONE) {
            execution_truncate(e, length);
            o->same = length < o->same ? length : o->same;
            return true;
        }
    }
    return false;
}

/* ---- wakeup sequences ---- */

static void plan_add(observers *o, uint32_t thread, uint32_t choice, footprint f) {
    vector_push(&o->plan.steps, (planned_step){thread, choice, f, 0, false});
}

static void plan_add_event(observers *o, uint32_t position) {
    const event *e = execution_event(execution_of(o), position);
    plan_add(o, e->thread, e->choice, e->footprint);
}

/* The event, which lies behind e, happens after it. */
static bool is_after(const observers *o, uint32_t position) {
    const event *of = execution_event(execution_of(o), position);
    return of->index >= o->counts[of->thread];
}

static void find_notdep(observers *o) {
    o->has_notdep = true;
    vector_clear(&o->notdep);
    for (uint32_t i = o->position + 1; i < execution_length(execution_of(o)); i++) {
        if (!is_after(o, i)) {
            vector_push(&o->notdep, i);
        }
    }
}

static void plan_notdep(observers *o) {
    if (!o->has_notdep) {
        find_notdep(o);
    }
    vector_clear(&o->plan.steps);
    for (uint32_t i = 0; i < o->notdep.count; i++) {
        plan_add_event(o, o->notdep.items[i]);
    }
}

/* Whether the trial's watches find the plan redundant. */
static bool passes_in_vain(observers *o) {
    for (uint32_t i = 0; watch_left(&o->trial); i++) {
        if (i == o->plan.steps.count) {
            return true;
        }
        const planned_step *p = &o->plan.steps.items[i];
        if (watch_pass(&o->trial, p->thread, p->choice, p->footprint)) {
            return true;
        }
    }
    return false;
}

static void check_plan(observers *o) {
    for (uint32_t i = 0; i < o->plan.steps.count; i++) {
        observers_check_step(o->check,
                             (step){o->plan.steps.items[i].thread, o->plan.steps.items[i].choice});
    }
}

/* Line 11, Definition 3. */
static bool is_redundant(observers *o) {
    const watch *w = &o->watches.items[o->position];
    bool redundant = false;
    if (watch_left(w)) {
        watch_copy(&o->trial, w);
        redundant = passes_in_vain(o);
    }
    observers_check_redundant(o->check, o->position, redundant);
    check_plan(o);
    return redundant;
}

/* Whether a child of the tree is a weak initial of the plan: the plan is redundant if the child has
 * been explored. */
static bool is_weak_initial(observers *o, const wakeup_node *child) {
    watch_copy(&o->trial, &o->node);
    watch_add(&o->trial, child->thread, child->choice, child->footprint);
    bool initial = passes_in_vain(o);
    observers_check_child(o->check, o->position, o->path.count,
                          (step){child->thread, child->choice}, initial);
    for (uint32_t i = 0; i < o->path.count; i++) {
        observers_check_step(o->check, o->path.items[i]);
    }
    check_plan(o);
    return initial;
}

/* Removes the first step of the thread, if it has one. */
static void plan_remove(observers *o, uint32_t thread) {
    uint32_t i = 0;
    while (i < o->plan.steps.count && o->plan.steps.items[i].thread != thread) {
        i++;
    }
    for (; i + 1 < o->plan.steps.count; i++) {
        o->plan.steps.items[i] = o->plan.steps.items[i + 1];
    }
    o->plan.steps.count -= i < o->plan.steps.count;
}

static uint32_t follow(observers *o, uint32_t node) {
    uint32_t child = wakeup_at(&o->forest, node)->first_child;
    while (child != WAKEUP_NONE && !is_weak_initial(o, wakeup_at(&o->forest, child))) {
        child = wakeup_at(&o->forest, child)->next_sibling;
    }
    return child;
}

static bool plan_has(const observers *o, uint32_t thread) {
    for (uint32_t i = 0; i < o->plan.steps.count; i++) {
        if (o->plan.steps.items[i].thread == thread) {
            return true;
        }
    }
    return false;
}

static uint32_t grow(observers *o, uint32_t node) {
    for (uint32_t i = 0; i < o->plan.steps.count; i++) {
        const planned_step *p = &o->plan.steps.items[i];
        uint32_t added = wakeup_new(&o->forest, p->thread, p->choice, p->footprint);
        wakeup_append(&o->forest, node, added);
        node = added;
    }
    return node;
}

/* Line 12: section 5, "insert", at E'. */
static void insert(observers *o) {
    uint32_t node = o->roots.items[o->position];
    bool covered = false, independent = false;
    if (o->compares) {
        planned_copy(&o->inserted, &o->plan);
    }
    watch_copy(&o->node, &o->watches.items[o->position]);
    watch_forget(&o->node);
    vector_clear(&o->path);
    for (uint32_t child; !covered && (child = follow(o, node)) != WAKEUP_NONE; node = child) {
        const wakeup_node *c = wakeup_at(&o->forest, child);
        covered = c->first_child == WAKEUP_NONE;
        independent |= o->compares && !plan_has(o, c->thread);
        watch_pass(&o->node, c->thread, c->choice, c->footprint);
        vector_push(&o->path, (step){c->thread, c->choice});
        plan_remove(o, c->thread);
    }
    if (!covered) {
        node = grow(o, node);
    }
    if (independent) {
        remembered_add(&o->remembered, node, &o->inserted, o->position);
    }
}

/* As in context.c. */
static void drop_first(observers *o, uint32_t length) {
    uint32_t root = o->roots.items[length], child = wakeup_at(&o->forest, root)->first_child;
    uint32_t thread = wakeup_at(&o->forest, child)->thread;
    uint32_t list = remembered_take(&o->remembered, &o->forest, child);
    wakeup_prune(&o->forest, child);
    wakeup_drop_first(&o->forest, root);
    o->position = length;
    for (uint32_t i = list; i != REMEMBERED_NONE; i = remembered_next(&o->remembered, i)) {
        if (!remembered_contains(&o->remembered, i, execution_of(o), length, thread, &o->plan)) {
            insert(o);
        }
    }
    remembered_drop(&o->remembered, list);
}

static void try_plan(observers *o) {
    if (!is_redundant(o)) {
        insert(o);
    }
}

/* What `thread` has pending after E' and the plan. */
static const operation *probe(observers *o, uint32_t thread) {
    vector_clear(&o->steps);
    for (uint32_t i = 0; i < o->plan.steps.count; i++) {
        vector_push(&o->steps,
                    (step){o->plan.steps.items[i].thread, o->plan.steps.items[i].choice});
    }
    return exploration_probe(o->base.exploration, o->position, o->steps.items, o->steps.count,
                             thread);
}

/* ---- comparing the two orders of a race ---- */

static bool is_moved(const observers *o, uint32_t position, uint32_t second) {
    if (position == o->position || position == second) {
        return true;
    }
    for (uint32_t i = 0; i < o->notdep.count; i++) {
        if (o->notdep.items[i] == position && o->comparison.needed.items[i]) {
            return true;
        }
    }
    return false;
}

/* False if what causes the event is not there: somebody else woke it in the other order. */
static bool append_swapped(observers *o, uint32_t position, footprint f) {
    const execution *e = execution_of(o);
    operation op = execution_operation(e, position);
    const event *of = execution_event(e, position);
    for (uint32_t i = 0; i < op.cause_count; i++) {
        if (op.causes[i].events > execution_thread_events(&o->swapped, op.causes[i].thread)) {
            return false;
        }
    }
    op.footprint = f;
    execution_append(&o->swapped, of->thread, of->choice, &op);
    return true;
}

static bool append_same(observers *o, uint32_t position) {
    return append_swapped(o, position, execution_event(execution_of(o), position)->footprint);
}

/* E with the race of e and the event at `second` reversed, as far as both orders lead to the same
 * state: the steps behind are the same. */
static bool build_swapped(observers *o, uint32_t second) {
    const execution *e = execution_of(o);
    const step_sequence *s = &o->comparison.sequence;
    bool good = true;
    execution_truncate(&o->swapped, 0);
    execution_reserve_threads(&o->swapped, e->stride);
    for (uint32_t i = 0; i < o->position && good; i++) {
        good = append_same(o, i);
    }
    for (uint32_t i = 0; i < o->notdep.count && good; i++) {
        good = !o->comparison.needed.items[i] || append_same(o, o->notdep.items[i]);
    }
    good = good && append_swapped(o, second, s->items[s->count - 2].footprint) &&
           append_swapped(o, o->position, s->items[s->count - 1].footprint);
    for (uint32_t i = o->position + 1; i < execution_length(e) && good; i++) {
        good = is_moved(o, i, second) || append_same(o, i);
    }
    return good;
}

/* Happens-before is that of E but for the race itself: the edge between its events is inessential.
 */
static bool is_inessential(observers *o, uint32_t second) {
    const execution *e = execution_of(o);
    const event *first = execution_event(e, o->position), *last = execution_event(e, second);
    if (!build_swapped(o, second)) {
        return false;
    }
    observed_order_compute(&o->swapped_order, &o->swapped, 0);
    for (uint32_t i = 0; i < execution_length(e); i++) {
        const event *of = execution_event(e, i);
        uint32_t there = execution_position(&o->swapped, of->thread, of->index);
        const uint32_t *clock = observed_clock(&o->order, e, i);
        const uint32_t *other = observed_clock(&o->swapped_order, &o->swapped, there);
        for (uint32_t t = 0; t < execution_thread_count(e); t++) {
            bool own = (i == second && t == first->thread && clock[t] == first->index + 1 &&
                        other[t] == first->index) ||
                       (i == o->position && t == last->thread && clock[t] == last->index &&
                        other[t] == last->index + 1);
            if (clock[t] != other[t] && !own) {
                return false;
            }
        }
    }
    return true;
}

static bool commutes(observers *o, sleeper last) {
    const execution *e = execution_of(o);
    step_sequence *others = &o->comparison.others;
    vector_clear(others);
    for (uint32_t i = 0; i < o->notdep.count; i++) {
        const event *of = execution_event(e, o->notdep.items[i]);
        vector_push(others, (sleeper){of->thread, of->choice, of->footprint});
    }
    const event *first = execution_event(e, o->position);
    return comparison_commutes(&o->comparison, o->base.exploration, o->position, others->items,
                               others->count,
                               (sleeper){first->thread, first->choice, first->footprint}, last);
}

/* Names the race of the child that is being explored at E' with an event of another thread. */
static uint32_t race_tag(const event *second) {
    return second->thread << 16 | (second->index & 0xffff);
}

/* Both orders of e and the step lead to the same state, in this execution and in all others below
 * E'.e: then the second order is not to be done. */
static void compare_orders(observers *o, sleeper last, uint32_t second) {
    if (second == POSITION_NONE) {
        return;
    }
    uint32_t tag = race_tag(execution_event(execution_of(o), second));
    race_tags *refuted = &o->refuted.items[o->position];
    for (uint32_t i = 0; i < refuted->count; i++) {
        if (refuted->items[i] == tag) {
            return;
        }
    }
    if (commutes(o, last) && is_inessential(o, second)) {
        const step_sequence *s = &o->comparison.sequence;
        dontdo_add(&o->dontdo, o->position, s->items, s->count, tag);
    } else {
        vector_push(refuted, tag);
        dontdo_revoke(&o->dontdo, o->position, tag);
    }
}

/* ---- races without observers: line 10, by the rule of optimal.c ---- */

static void plan_last(observers *o, uint32_t thread, const operation *op, uint32_t second) {
    op = o->compares ? operation_keep(&o->kept, op) : op;
    for (uint32_t i = 0; i < operation_alternatives(op); i++) {
        plan_notdep(o);
        plan_add(o, thread, operation_choice(op, i), op->footprint);
        try_plan(o);
        if (o->compares) {
            compare_orders(o, (sleeper){thread, operation_choice(op, i), op->footprint}, second);
        }
    }
}

static bool has_causes(const observers *o, const operation *op) {
    for (uint32_t i = 0; i < op->cause_count; i++) {
        if (op->causes[i].events > o->counts[op->causes[i].thread]) {
            return false;
        }
    }
    return true;
}

static void consider_ordered(observers *o, uint32_t thread, const operation *op, uint32_t second) {
    const event *first = execution_event(execution_of(o), o->position);
    if (op->flags & OPERATION_VARIES) {
        plan_notdep(o);
        op = probe(o, thread);
        if (op && operation_enabled(op) &&
            observed_relation(first->footprint, op->footprint) == RELATION_ORDERED) {
            operation moved = *op;
            plan_last(o, thread, &moved, second);
        }
    } else if ((!(op->flags & OPERATION_ACQUIRES) || first->acquired) && has_causes(o, op)) {
        plan_last(o, thread, op, second);
    }
}

/* ---- races with observers: line 8 ---- */

/* Nothing lies between e and the event. */
static bool is_direct(const observers *o, uint32_t position) {
    const execution *e = execution_of(o);
    const event *first = execution_event(e, o->position);
    const uint32_t *clock = observed_clock(&o->order, e, position);
    if (clock[first->thread] > first->index + 1) {
        return false;
    }
    for (uint32_t i = 0; i < o->after.count; i++) {
        uint32_t other = o->after.items[i];
        if (other != position && observed_before(&o->order, e, other, position)) {
            return false;
        }
    }
    return true;
}

/* Events that read what the event at `position` wrote, before it is overwritten. */
static void find_readers(observers *o, uint32_t position) {
    const execution *e = execution_of(o);
    vector_clear(&o->readers);
    footprint left = footprint_writes(execution_event(e, position)->footprint);
    for (uint32_t i = position + 1; i < execution_length(e) && left != FOOTPRINT_EMPTY; i++) {
        footprint f = execution_event(e, i)->footprint;
        if (footprint_reads(f, left)) {
            vector_push(&o->readers, i);
        }
        left = footprint_remaining(left, f);
    }
}

static bool behind_reader(const observers *o, uint32_t position) {
    for (uint32_t i = 0; i < o->readers.count; i++) {
        if (observed_before(&o->order, execution_of(o), o->readers.items[i], position)) {
            return true;
        }
    }
    return false;
}

/* The observer comes last, as it is behind both writes. False: it cannot run there. */
static bool plan_observer(observers *o, uint32_t position) {
    const event *observer = execution_event(execution_of(o), position);
    footprint f = observer->footprint;
    if (observer->flags & OPERATION_VARIES) {
        const operation *pending = probe(o, observer->thread);
        if (!pending || !operation_enabled(pending)) {
            return false;
        }
        f = pending->footprint;
    }
    plan_add(o, observer->thread, observer->choice, f);
    return true;
}

/* v = notdep(e,E).e'.e.(notobs(e,e',E) \ e').o, where o->readers are the observers. */
static void reverse_observed(observers *o, uint32_t second) {
    const execution *e = execution_of(o);
    plan_notdep(o);
    plan_add_event(o, second);
    plan_add_event(o, o->position);
    for (uint32_t i = o->position + 1; i < execution_length(e); i++) {
        if (i != second && is_after(o, i) && !behind_reader(o, i)) {
            plan_add_event(o, i);
        }
    }
    if (plan_observer(o, o->readers.items[0])) {
        try_plan(o);
    }
}

/* ---- race detection phase ---- */

/* e and what another thread does behind it: an event, or what it has pending at the end. */
static void consider(observers *o, uint32_t thread, const operation *op, uint32_t second,
                     enum relation relation) {
    const event *first = execution_event(execution_of(o), o->position);
    if (relation == RELATION_ORDERED ||
        (op->flags & OPERATION_VARIES && operation_caused_by(op, first->thread, first->index))) {
        consider_ordered(o, thread, op, second);
    } else if (relation == RELATION_OBSERVED && second != POSITION_NONE &&
               o->order.futures.items[second].observed && is_direct(o, second)) {
        find_readers(o, second);
        reverse_observed(o, second);
    } else if (relation == RELATION_MAIL && second != POSITION_NONE &&
               observed_mail_ordered(&o->order, execution_of(o), o->position, second) &&
               is_direct(o, second)) {
        vector_clear(&o->readers);
        vector_push(&o->readers, o->order.futures.items[o->position].receiver);
        reverse_observed(o, second);
    }
}

static void consider_event(observers *o, uint32_t second) {
    const execution *e = execution_of(o);
    const event *first = execution_event(e, o->position), *other = execution_event(e, second);
    enum relation relation = observed_relation(first->footprint, other->footprint);
    if (relation != RELATION_NONE || other->flags & OPERATION_VARIES) {
        operation op = execution_operation(e, second);
        consider(o, other->thread, &op, second, relation);
    }
}

static void consider_blocked(observers *o, const blocked_thread *b) {
    const event *first = execution_event(execution_of(o), o->position);
    if (b->thread != first->thread &&
        o->counts[b->thread] == execution_thread_events(execution_of(o), b->thread)) {
        consider(o, b->thread, &b->operation, POSITION_NONE,
                 observed_relation(first->footprint, b->operation.footprint));
    }
}

static void add_after(observers *o, uint32_t position) {
    uint32_t at = o->after.count;
    vector_push(&o->after, position);
    for (; at > 0 && o->after.items[at - 1] > position; at--) {
        o->after.items[at] = o->after.items[at - 1];
    }
    o->after.items[at] = position;
}

/* What happens after e, per thread: no less than what happens after the next event of e's thread,
 * so that the row goes on from there. */
static void open_event(observers *o, uint32_t position) {
    const execution *e = execution_of(o);
    const event *first = execution_event(e, position);
    uint32_t *counts = &o->rows.items[(size_t)first->thread * e->stride];
    o->position = position;
    o->counts = counts;
    o->has_notdep = false;
    vector_clear(&o->after);
    for (uint32_t t = 0; t < execution_thread_count(e); t++) {
        uint32_t count = counts[t];
        if (t == first->thread) {
            counts[t] = first->index;
            continue;
        }
        while (count &&
               observed_before(&o->order, e, position, execution_position(e, t, count - 1))) {
            count--;
        }
        counts[t] = count;
        if (count < execution_thread_events(e, t)) {
            add_after(o, execution_position(e, t, count));
        }
    }
}

static void reverse(observers *o, uint32_t position) {
    const event *first = execution_event(execution_of(o), position);
    if (first->footprint == FOOTPRINT_EMPTY ||
        (!o->blocked.threads.count && touch_is_private(&o->touches, first))) {
        return;
    }
    open_event(o, position);
    for (uint32_t i = 0; i < o->after.count; i++) {
        consider_event(o, o->after.items[i]);
    }
    for (uint32_t i = 0; i < o->blocked.threads.count; i++) {
        consider_blocked(o, &o->blocked.threads.items[i]);
    }
}

static void start_rows(observers *o) {
    const execution *e = execution_of(o);
    uint32_t threads = execution_thread_count(e);
    vector_resize(&o->rows, threads * e->stride);
    for (uint32_t t = 0; t < threads; t++) {
        for (uint32_t other = 0; other < e->stride; other++) {
            o->rows.items[t * e->stride + other] = execution_thread_events(e, other);
        }
    }
}

/* Whether an await can go on is seen without any event, so that a step which covers a sequence only
 * because it is independent of it may be one whose continuations were cut: `iy0 / iy0 / wy1 / rx
 * iy0 / wx1 wx1`. */
static bool something_awaits(const observers *o) {
    const execution *e = execution_of(o);
    for (uint32_t i = 0; i < execution_length(e); i++) {
        if (execution_event(e, i)->kind == OPERATION_AWAIT) {
            return true;
        }
    }
    for (uint32_t i = 0; i < o->blocked.threads.count; i++) {
        if (o->blocked.threads.items[i].operation.kind == OPERATION_AWAIT) {
            return true;
        }
    }
    return false;
}

/* Lines 3-12. */
static void observers_ended(strategy *s, enum decision decision) {
    observers *o = (observers *)s;
    const execution *e = execution_of(o);
    if (decision != DECISION_MAXIMAL) {
        /* Cut short: what was planned behind is lost, but races are reversed all the same. */
        uint32_t root = o->roots.items[execution_length(e)];
        remembered_drop(&o->remembered, remembered_take(&o->remembered, &o->forest, root));
        wakeup_prune(&o->forest, root);
    }
    blocked_collect(&o->blocked, s->exploration);
    o->unsuited = o->compares && something_awaits(o);
    observed_order_compute(&o->order, e, o->same);
    o->same = execution_length(e);
    touch_start(&o->touches, e);
    start_rows(o);
    for (uint32_t position = execution_length(e); position-- > 0;) {
        reverse(o, position);
        touch_pass(&o->touches, execution_event(e, position));
    }
    observers_check_all(o->check, s->exploration);
}

extern const strategy_class strategy_observers;
const strategy_class strategy_observers = {
    .name = "observers",
    .summary = "optimal-DPOR with observers: writes are ordered only if observed (TACAS 2018)",
    .fallback = "optimal",
    .unsuited = "an atomic section makes a choice",
    .create = observers_create,
    .destroy = observers_destroy,
    .choose = observers_choose,
    .stepped = observers_stepped,
    .ended = observers_ended,
    .backtrack = observers_backtrack,
};

extern const strategy_class strategy_context_observers;
const strategy_class strategy_context_observers = {
    .name = "context-observers",
    .summary = "context-sensitive optimal-DPOR with observers: every outcome, not every trace",
    .fallback = "observers",
    .unsuited = "awaits, or a choice in an atomic section",
    .states_only = true,
    .create = context_observers_create,
    .destroy = observers_destroy,
    .choose = observers_choose,
    .stepped = observers_stepped,
    .ended = observers_ended,
    .backtrack = observers_backtrack,
};
