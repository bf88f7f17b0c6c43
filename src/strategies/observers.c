/* Optimal-DPOR with observers: TACAS 2018, Algorithm 1, corrected as docs/ALGORITHMS.md says.
 *
 * Two writes race only if somebody observes the later one. To reverse such a race, the wakeup
 * sequence has to contain an observer, behind both writes in their new order (line 8); every other
 * race is reversed as in optimal-DPOR (line 10). Instead of sleep sets every prefix has a watch,
 * which decides redundancy (line 11) in one pass. */
#include "core/observed.h"
#include "core/touch.h"
#include "core/wakeup.h"
#include "core/watch.h"
#include "explore/blocked.h"
#include "strategies/observers_check.h"

/* One step of a sequence that may be explored. */
typedef struct planned_step {
    uint32_t thread;
    uint32_t choice;
    footprint footprint;
} planned_step;

typedef VECTOR(planned_step) plan;

typedef struct observers {
    strategy base;
    wakeup_forest forest;
    VECTOR(uint32_t) roots; /* wut(E'), by length of the prefix */
    VECTOR(watch) watches;  /* done(E') and what the earlier ones have become, likewise */
    uint32_t depth;         /* watches in use; the others keep their memory */
    observed_order order;
    blocked_list blocked;
    touch_map touches;
    VECTOR(uint32_t) before; /* events per thread before the event at hand */
    /* Of the event e at hand: */
    uint32_t position;
    VECTOR(uint32_t) notdep; /* positions */
    VECTOR(uint32_t) after;  /* the first event of each thread that happens after e */
    VECTOR(uint32_t) counts; /* events per thread in E'.notdep(e,E) */
    VECTOR(bool) closed;
    VECTOR(uint32_t) readers;
    plan plan;
    VECTOR(step) steps;
    VECTOR(step) path; /* from the root of the tree to the node that is looked at */
    watch node;        /* the mail at that node */
    watch trial;
    observers_check *check; /* debug builds only */
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
    return &o->base;
}

static void observers_destroy(strategy *s) {
    observers *o = (observers *)s;
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
    vector_free(&o->before);
    vector_free(&o->notdep);
    vector_free(&o->after);
    vector_free(&o->counts);
    vector_free(&o->closed);
    vector_free(&o->readers);
    vector_free(&o->plan);
    vector_free(&o->steps);
    vector_free(&o->path);
    watch_free(&o->node);
    watch_free(&o->trial);
    memory_resize(o, sizeof *o, 0);
}

/* ---- exploration phase ---- */

static bool anyone(void *context, uint32_t thread, const operation *pending) {
    (void)context;
    (void)thread;
    (void)pending;
    return true;
}

/* Lines 17-18: any enabled thread, with all its alternatives. */
static bool extend(observers *o, uint32_t root) {
    exploration *x = o->base.exploration;
    uint32_t thread;
    bool refused;
    if (!exploration_pick(x, anyone, o, &thread, &refused)) {
        return false;
    }
    const operation *pending = x->target->class->pending(x->target, thread);
    for (uint32_t i = 0; i < operation_alternatives(pending); i++) {
        wakeup_append(
            &o->forest, root,
            wakeup_new(&o->forest, thread, operation_choice(pending, i), pending->footprint));
    }
    return true;
}

/* Lines 13-20. */
static enum decision observers_choose(strategy *s, step *next) {
    observers *o = (observers *)s;
    uint32_t length = execution_length(execution_of(o));
    uint32_t root = o->roots.items[length];
    if (wakeup_at(&o->forest, root)->first_child == WAKEUP_NONE && !extend(o, root)) {
        return watch_left(&o->watches.items[length]) ? DECISION_REDUNDANT : DECISION_MAXIMAL;
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
    if (o->watches.count == o->depth) {
        vector_push(&o->watches, (watch){0});
    }
    watch *next = &o->watches.items[o->depth++];
    watch_copy(next, &o->watches.items[position]);
    watch_pass(next, taken->thread, taken->choice, taken->footprint);
}

/* Lines 23-24, for as many levels as have nothing left. */
static bool observers_backtrack(strategy *s) {
    observers *o = (observers *)s;
    execution *e = &s->exploration->execution;
    for (uint32_t length = execution_length(e); length-- > 0;) {
        const event *done = execution_event(e, length);
        uint32_t root = o->roots.items[length];
        o->roots.count = o->depth = length + 1;
        wakeup_drop_first(&o->forest, root);
        watch_add(&o->watches.items[length], done->thread, done->choice, done->footprint);
        observers_check_done(o->check, length, (step){done->thread, done->choice});
        if (wakeup_at(&o->forest, root)->first_child != WAKEUP_NONE) {
            execution_truncate(e, length);
            return true;
        }
    }
    return false;
}

/* ---- wakeup sequences ---- */

static void plan_add(observers *o, uint32_t thread, uint32_t choice, footprint f) {
    vector_push(&o->plan, (planned_step){thread, choice, f});
}

static void plan_add_event(observers *o, uint32_t position) {
    const event *e = execution_event(execution_of(o), position);
    plan_add(o, e->thread, e->choice, e->footprint);
}

static void plan_notdep(observers *o) {
    vector_clear(&o->plan);
    for (uint32_t i = 0; i < o->notdep.count; i++) {
        plan_add_event(o, o->notdep.items[i]);
    }
}

/* Whether the trial's watches find the plan redundant. */
static bool passes_in_vain(observers *o) {
    for (uint32_t i = 0; i < o->plan.count; i++) {
        const planned_step *p = &o->plan.items[i];
        if (watch_pass(&o->trial, p->thread, p->choice, p->footprint)) {
            return true;
        }
    }
    return watch_left(&o->trial);
}

static void check_plan(observers *o) {
    for (uint32_t i = 0; i < o->plan.count; i++) {
        observers_check_step(o->check, (step){o->plan.items[i].thread, o->plan.items[i].choice});
    }
}

/* Line 11, Definition 3. */
static bool is_redundant(observers *o) {
    watch_copy(&o->trial, &o->watches.items[o->position]);
    bool redundant = passes_in_vain(o);
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
    while (i < o->plan.count && o->plan.items[i].thread != thread) {
        i++;
    }
    for (; i + 1 < o->plan.count; i++) {
        o->plan.items[i] = o->plan.items[i + 1];
    }
    o->plan.count -= i < o->plan.count;
}

static uint32_t follow(observers *o, uint32_t node) {
    uint32_t child = wakeup_at(&o->forest, node)->first_child;
    while (child != WAKEUP_NONE && !is_weak_initial(o, wakeup_at(&o->forest, child))) {
        child = wakeup_at(&o->forest, child)->next_sibling;
    }
    return child;
}

/* Line 12: section 5, "insert". */
static void insert(observers *o) {
    uint32_t node = o->roots.items[o->position];
    watch_copy(&o->node, &o->watches.items[o->position]);
    watch_forget(&o->node);
    vector_clear(&o->path);
    for (uint32_t child; (child = follow(o, node)) != WAKEUP_NONE; node = child) {
        const wakeup_node *c = wakeup_at(&o->forest, child);
        if (c->first_child == WAKEUP_NONE) {
            return;
        }
        watch_pass(&o->node, c->thread, c->choice, c->footprint);
        vector_push(&o->path, (step){c->thread, c->choice});
        plan_remove(o, c->thread);
    }
    for (uint32_t i = 0; i < o->plan.count; i++) {
        const planned_step *p = &o->plan.items[i];
        uint32_t added = wakeup_new(&o->forest, p->thread, p->choice, p->footprint);
        wakeup_append(&o->forest, node, added);
        node = added;
    }
}

static void try_plan(observers *o) {
    if (!is_redundant(o)) {
        insert(o);
    }
}

/* What `thread` has pending after E' and the plan. */
static const operation *probe(observers *o, uint32_t thread) {
    vector_clear(&o->steps);
    for (uint32_t i = 0; i < o->plan.count; i++) {
        vector_push(&o->steps, (step){o->plan.items[i].thread, o->plan.items[i].choice});
    }
    return exploration_probe(o->base.exploration, o->position, o->steps.items, o->steps.count,
                             thread);
}

/* ---- races without observers: line 10, by the rule of optimal.c ---- */

static void plan_last(observers *o, uint32_t thread, const operation *op) {
    for (uint32_t i = 0; i < operation_alternatives(op); i++) {
        plan_notdep(o);
        plan_add(o, thread, operation_choice(op, i), op->footprint);
        try_plan(o);
    }
}

static bool has_causes(const observers *o, const operation *op) {
    for (uint32_t i = 0; i < op->cause_count; i++) {
        if (op->causes[i].events > o->counts.items[op->causes[i].thread]) {
            return false;
        }
    }
    return true;
}

static void consider_ordered(observers *o, uint32_t thread, const operation *op) {
    const event *first = execution_event(execution_of(o), o->position);
    if (op->flags & OPERATION_VARIES) {
        plan_notdep(o);
        op = probe(o, thread);
        if (op && operation_enabled(op) &&
            observed_relation(first->footprint, op->footprint) == RELATION_ORDERED) {
            operation moved = *op;
            plan_last(o, thread, &moved);
        }
    } else if ((!(op->flags & OPERATION_ACQUIRES) || first->acquired) && has_causes(o, op)) {
        plan_last(o, thread, op);
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
        if (i != second && observed_before(&o->order, e, o->position, i) && !behind_reader(o, i)) {
            plan_add_event(o, i);
        }
    }
    if (plan_observer(o, o->readers.items[0])) {
        try_plan(o);
    }
}

/* ---- race detection phase ---- */

static void consider(observers *o, uint32_t thread, const operation *op, uint32_t second) {
    const event *first = execution_event(execution_of(o), o->position);
    enum relation relation = observed_relation(first->footprint, op->footprint);
    if (relation == RELATION_ORDERED ||
        (op->flags & OPERATION_VARIES && operation_caused_by(op, first->thread, first->index))) {
        consider_ordered(o, thread, op);
    } else if (relation == RELATION_OBSERVED && second != POSITION_NONE &&
               o->order.observed.items[second] && is_direct(o, second)) {
        find_readers(o, second);
        reverse_observed(o, second);
    } else if (relation == RELATION_MAIL && second != POSITION_NONE &&
               observed_mail_ordered(&o->order, execution_of(o), o->position, second) &&
               is_direct(o, second)) {
        vector_clear(&o->readers);
        vector_push(&o->readers, o->order.receivers.items[o->position]);
        reverse_observed(o, second);
    }
}

/* notdep(e,E), and per thread the first event that happens after e. */
static void open_event(observers *o, uint32_t position) {
    const execution *e = execution_of(o);
    const event *first = execution_event(e, position);
    o->position = position;
    vector_resize(&o->counts, e->stride);
    vector_resize(&o->closed, e->stride);
    vector_clear(&o->notdep);
    vector_clear(&o->after);
    for (uint32_t t = 0; t < e->stride; t++) {
        o->counts.items[t] = o->before.items[t];
        o->closed.items[t] = t == first->thread;
    }
    for (uint32_t i = position + 1; i < execution_length(e); i++) {
        uint32_t thread = execution_event(e, i)->thread;
        if (!observed_before(&o->order, e, position, i)) {
            o->counts.items[thread]++;
            vector_push(&o->notdep, i);
        } else if (!o->closed.items[thread]) {
            o->closed.items[thread] = true;
            vector_push(&o->after, i);
        }
    }
}

static void reverse(observers *o, uint32_t position) {
    const execution *e = execution_of(o);
    const event *first = execution_event(e, position);
    if (first->footprint == FOOTPRINT_EMPTY ||
        (!o->blocked.threads.count && touch_is_private(&o->touches, first))) {
        return;
    }
    open_event(o, position);
    for (uint32_t i = 0; i < o->after.count; i++) {
        uint32_t second = o->after.items[i];
        operation op = execution_operation(e, second);
        consider(o, execution_event(e, second)->thread, &op, second);
    }
    for (uint32_t i = 0; i < o->blocked.threads.count; i++) {
        const blocked_thread *b = &o->blocked.threads.items[i];
        if (b->thread != execution_event(e, position)->thread &&
            o->counts.items[b->thread] == execution_thread_events(e, b->thread)) {
            consider(o, b->thread, &b->operation, POSITION_NONE);
        }
    }
}

/* Lines 3-12. */
static void observers_ended(strategy *s, enum decision decision) {
    observers *o = (observers *)s;
    const execution *e = execution_of(o);
    if (decision != DECISION_MAXIMAL) {
        /* Cut short: what was planned behind is lost, but races are reversed all the same. */
        wakeup_prune(&o->forest, o->roots.items[execution_length(e)]);
    }
    blocked_collect(&o->blocked, s->exploration);
    observed_order_compute(&o->order, e);
    touch_start(&o->touches, e);
    vector_resize(&o->before, e->stride);
    for (uint32_t t = 0; t < e->stride; t++) {
        o->before.items[t] = execution_thread_events(e, t);
    }
    for (uint32_t position = execution_length(e); position-- > 0;) {
        const event *of = execution_event(e, position);
        o->before.items[of->thread]--;
        reverse(o, position);
        touch_pass(&o->touches, of);
    }
    observers_check_all(o->check, s->exploration);
}

extern const strategy_class strategy_observers;
const strategy_class strategy_observers = {
    .name = "observers",
    .summary = "optimal-DPOR with observers: writes are ordered only if observed (TACAS 2018)",
    .create = observers_create,
    .destroy = observers_destroy,
    .choose = observers_choose,
    .stepped = observers_stepped,
    .ended = observers_ended,
    .backtrack = observers_backtrack,
};
