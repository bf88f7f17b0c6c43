/* Optimal context-sensitive DPOR as it was published (ISSTA 2019, Algorithms 1 and 2), for
 * comparison. Both miss behaviours: docs/ALGORITHMS.md says why, and a run that finds no error is
 * never "verified".
 *
 * Everything is by definition and without any thought for speed: happens-before is a matrix. What
 * the paper's language does not have (locks, conditions) is treated as memory that is written. */
#include <string.h>

#include "core/observed.h"
#include "core/sleep.h"
#include "core/wakeup.h"
#include "core/watch.h"
#include "explore/comparison.h"

typedef VECTOR(uint32_t) positions;
typedef VECTOR(step_sequence) sequences;

typedef struct published {
    strategy base;
    bool observing; /* Algorithm 2 */
    wakeup_forest forest;
    VECTOR(uint32_t) roots; /* wut(E'), by length of the prefix */
    VECTOR(sequences) dnd;  /* dnd(E'), likewise */
    sleep_stack sleep;      /* Algorithm 1: done sets, as sleep sets */
    VECTOR(watch) watches;  /* Algorithm 2: done sets, as watches */
    watch trial, node;
    /* Race detection: */
    VECTOR(bool) before; /* a row per later event */
    positions v, rest, observers;
    step_sequence plan, dont;
    comparison comparison;
    uint32_t most, held; /* sequences in don't-do sets */
    bool cut;            /* everything enabled is in the don't-do set */
} published;

static const execution *execution_of(const published *p) {
    return &p->base.exploration->execution;
}

static const event *event_of(const published *p, uint32_t position) {
    return execution_event(execution_of(p), position);
}

static strategy *create(bool observing) {
    published *p = memory_resize(NULL, 0, sizeof *p);
    p->observing = observing;
    wakeup_init(&p->forest);
    sleep_init(&p->sleep);
    vector_push(&p->roots, wakeup_new(&p->forest, 0, CHOICE_NONE, FOOTPRINT_EMPTY));
    vector_push(&p->dnd, (sequences){0});
    vector_push(&p->watches, (watch){0});
    return &p->base;
}

static strategy *published_create(exploration *x) {
    (void)x;
    return create(false);
}

static strategy *published_observers_create(exploration *x) {
    (void)x;
    return create(true);
}

static void clear_sequences(sequences *s) {
    for (uint32_t i = 0; i < s->count; i++) {
        vector_free(&s->items[i]);
    }
    s->count = 0;
}

static void pop_level(published *p) {
    p->held -= vector_last(&p->dnd).count;
    clear_sequences(&vector_last(&p->dnd));
    vector_free(&vector_last(&p->dnd));
    watch_free(&vector_last(&p->watches));
    p->dnd.count--;
    p->watches.count--;
    p->roots.count--;
}

static void published_destroy(strategy *s) {
    published *p = (published *)s;
    s->exploration->dont_do = p->most;
    while (p->dnd.count) {
        pop_level(p);
    }
    wakeup_free(&p->forest);
    vector_free(&p->roots);
    vector_free(&p->dnd);
    sleep_free(&p->sleep);
    vector_free(&p->watches);
    watch_free(&p->trial);
    watch_free(&p->node);
    vector_free(&p->before);
    vector_free(&p->v);
    vector_free(&p->rest);
    vector_free(&p->observers);
    vector_free(&p->plan);
    vector_free(&p->dont);
    comparison_free(&p->comparison);
    memory_resize(p, sizeof *p, 0);
}

/* ---- don't-do sets ---- */

static void add_dont(published *p, uint32_t length, const step_sequence *s) {
    step_sequence copy = {0};
    for (uint32_t i = 0; i < s->count; i++) {
        vector_push(&copy, s->items[i]);
    }
    vector_push(&p->dnd.items[length], copy);
    p->held++;
    p->most = p->held > p->most ? p->held : p->most;
}

static bool in_dnd(const published *p, uint32_t length, uint32_t thread, uint32_t choice) {
    const sequences *set = &p->dnd.items[length];
    for (uint32_t i = 0; i < set->count; i++) {
        const step_sequence *s = &set->items[i];
        if (s->count == 1 && s->items[0].thread == thread && s->items[0].choice == choice) {
            return true;
        }
    }
    return false;
}

/* Section 4.2: what p and q both write is overwritten before anybody reads it. */
static bool is_overwritten(const sleeper *p, const sleeper *q, const sleeper *rest,
                           uint32_t count) {
    if (observed_relation(p->footprint, q->footprint) != RELATION_OBSERVED) {
        return false;
    }
    footprint left = footprint_writes(p->footprint);
    for (uint32_t i = 0; i < count && left != FOOTPRINT_EMPTY; i++) {
        if (footprint_reads(rest[i].footprint, left)) {
            return false;
        }
        left = footprint_remaining(left, rest[i].footprint);
    }
    return left == FOOTPRINT_EMPTY;
}

/* Lines 29-30 and 61-62: what becomes of a sequence when p is taken. */
static void inherit(published *p, const step_sequence *s, const event *taken) {
    sleeper step = {taken->thread, taken->choice, taken->footprint};
    uint32_t at = 0;
    while (at < s->count && s->items[at].thread != taken->thread) {
        at++;
    }
    bool contained = at < s->count;
    if (contained && (s->items[at].choice != taken->choice || (at > 0 && !p->observing))) {
        return;
    }
    uint32_t behind = contained ? at + 1 : s->count;
    for (uint32_t i = 0; i < at; i++) {
        if (footprint_conflict(s->items[i].footprint, step.footprint) &&
            !(contained &&
              is_overwritten(&step, &s->items[i], s->items + behind, s->count - behind))) {
            return;
        }
    }
    vector_clear(&p->dont);
    for (uint32_t i = 0; i < s->count; i++) {
        if (i != at) {
            vector_push(&p->dont, s->items[i]);
        }
    }
    if (p->dont.count) {
        add_dont(p, p->dnd.count - 1, &p->dont);
    }
}

/* ---- happens-before, of a sequence of events of E given by their positions ---- */

/* The write at place b of the sequence is read before it is overwritten. */
static bool is_observed(const published *p, const uint32_t *sequence, uint32_t count, uint32_t b) {
    footprint left = footprint_writes(event_of(p, sequence[b])->footprint);
    for (uint32_t i = b + 1; i < count && left != FOOTPRINT_EMPTY; i++) {
        footprint f = event_of(p, sequence[i])->footprint;
        if (footprint_reads(f, left)) {
            return true;
        }
        left = footprint_remaining(left, f);
    }
    return false;
}

/* The event at place a comes directly before the one at the later place b. */
static bool is_ordered(const published *p, const uint32_t *sequence, uint32_t count, uint32_t a,
                       uint32_t b) {
    const event *first = event_of(p, sequence[a]), *second = event_of(p, sequence[b]);
    operation op = execution_operation(execution_of(p), sequence[b]);
    if (first->thread == second->thread) {
        return true;
    }
    for (uint32_t i = 0; i < op.cause_count; i++) {
        if (op.causes[i].thread == first->thread && op.causes[i].events > first->index) {
            return true;
        }
    }
    if (!p->observing) {
        return footprint_conflict(first->footprint, second->footprint);
    }
    enum relation relation = observed_relation(first->footprint, second->footprint);
    return relation == RELATION_ORDERED || relation == RELATION_MAIL ||
           (relation == RELATION_OBSERVED && is_observed(p, sequence, count, b));
}

static bool *row(published *p, uint32_t position) {
    return p->before.items + (size_t)position * execution_length(execution_of(p));
}

static bool happens_before(const published *p, uint32_t a, uint32_t b) {
    return p->before.items[(size_t)b * execution_length(execution_of(p)) + a];
}

/* The closure for E itself. */
static void compute_order(published *p) {
    uint32_t n = execution_length(execution_of(p));
    positions all = {0};
    for (uint32_t i = 0; i < n; i++) {
        vector_push(&all, i);
    }
    vector_resize(&p->before, n * n + 1);
    memset(p->before.items, 0, (size_t)n * n);
    for (uint32_t b = 0; b < n; b++) {
        for (uint32_t a = b; a-- > 0;) {
            if (!row(p, b)[a] && is_ordered(p, all.items, n, a, b)) {
                row(p, b)[a] = true;
                for (uint32_t i = 0; i < a; i++) {
                    row(p, b)[i] |= row(p, a)[i];
                }
            }
        }
    }
    vector_free(&all);
}

static bool contains(const positions *s, uint32_t position) {
    for (uint32_t i = 0; i < s->count; i++) {
        if (s->items[i] == position) {
            return true;
        }
    }
    return false;
}

/* ---- sequences ---- */

/* ance(e,e',E). */
static void add_ancestors(published *p, uint32_t e, uint32_t second) {
    for (uint32_t i = e + 1; i < second; i++) {
        if (happens_before(p, i, second) && !happens_before(p, e, i)) {
            vector_push(&p->v, i);
        }
    }
}

static bool has_thread(const published *p, const positions *s, uint32_t count, uint32_t position) {
    for (uint32_t i = 0; i < count; i++) {
        if (event_of(p, s->items[i])->thread == event_of(p, position)->thread) {
            return true;
        }
    }
    return false;
}

/* v := v.I_fut(E',v,E). */
static void add_future_initials(published *p, uint32_t e) {
    uint32_t n = execution_length(execution_of(p)), planned = p->v.count;
    vector_clear(&p->rest);
    for (uint32_t i = 0; i < planned; i++) {
        vector_push(&p->rest, p->v.items[i]);
    }
    for (uint32_t i = e; i < n; i++) {
        if (!contains(&p->v, i)) {
            vector_push(&p->rest, i);
        }
    }
    for (uint32_t b = planned; b < p->rest.count; b++) {
        bool initial = !has_thread(p, &p->v, p->v.count, p->rest.items[b]);
        for (uint32_t a = 0; a < b && initial; a++) {
            initial = !is_ordered(p, p->rest.items, p->rest.count, a, b);
        }
        if (initial) {
            vector_push(&p->v, p->rest.items[b]);
        }
    }
}

static sleeper step_at(const published *p, uint32_t position) {
    const event *e = event_of(p, position);
    return (sleeper){e->thread, e->choice, e->footprint};
}

static void make_plan(const published *p, const positions *v, step_sequence *plan) {
    vector_clear(plan);
    for (uint32_t i = 0; i < v->count; i++) {
        vector_push(plan, step_at(p, v->items[i]));
    }
}

/* ---- wakeup trees ---- */

static bool watch_finds(published *p) {
    for (uint32_t i = 0; i < p->plan.count; i++) {
        const sleeper *s = &p->plan.items[i];
        if (watch_pass(&p->trial, s->thread, s->choice, s->footprint)) {
            return true;
        }
    }
    return watch_left(&p->trial);
}

/* p is in WI(plan), by conflicts of footprints. */
static bool is_plain_initial(const published *p, const sleeper *step) {
    for (uint32_t i = 0; i < p->plan.count; i++) {
        const sleeper *s = &p->plan.items[i];
        if (s->thread == step->thread) {
            bool initial = s->choice == step->choice;
            for (uint32_t j = 0; j < i; j++) {
                initial &= !footprint_conflict(p->plan.items[j].footprint, s->footprint);
            }
            return initial;
        }
    }
    for (uint32_t i = 0; i < p->plan.count; i++) {
        if (footprint_conflict(p->plan.items[i].footprint, step->footprint)) {
            return false;
        }
    }
    return true;
}

static bool is_weak_initial(published *p, const wakeup_node *child) {
    sleeper step = {child->thread, child->choice, child->footprint};
    if (!p->observing) {
        return is_plain_initial(p, &step);
    }
    watch_copy(&p->trial, &p->node);
    watch_add(&p->trial, step.thread, step.choice, step.footprint);
    return watch_finds(p);
}

/* v is in redundant(E',done). */
static bool is_redundant(published *p, uint32_t length) {
    if (p->observing) {
        watch_copy(&p->trial, &p->watches.items[length]);
        return watch_finds(p);
    }
    const sleeper *end = sleep_end(&p->sleep, length);
    for (const sleeper *q = sleep_begin(&p->sleep, length); q < end; q++) {
        if (is_plain_initial(p, q)) {
            return true;
        }
    }
    return false;
}

static void remove_step(step_sequence *plan, uint32_t thread) {
    uint32_t i = 0;
    while (i < plan->count && plan->items[i].thread != thread) {
        i++;
    }
    for (; i + 1 < plan->count; i++) {
        plan->items[i] = plan->items[i + 1];
    }
    plan->count -= i < plan->count;
}

static void insert(published *p, uint32_t length) {
    uint32_t node = p->roots.items[length];
    watch_copy(&p->node, &p->watches.items[length]);
    watch_forget(&p->node);
    for (;;) {
        uint32_t child = wakeup_at(&p->forest, node)->first_child;
        while (child != WAKEUP_NONE && !is_weak_initial(p, wakeup_at(&p->forest, child))) {
            child = wakeup_at(&p->forest, child)->next_sibling;
        }
        if (child == WAKEUP_NONE) {
            break;
        }
        const wakeup_node *c = wakeup_at(&p->forest, child);
        if (c->first_child == WAKEUP_NONE) {
            return;
        }
        watch_pass(&p->node, c->thread, c->choice, c->footprint);
        remove_step(&p->plan, c->thread);
        node = child;
    }
    for (uint32_t i = 0; i < p->plan.count; i++) {
        const sleeper *s = &p->plan.items[i];
        uint32_t added = wakeup_new(&p->forest, s->thread, s->choice, s->footprint);
        wakeup_append(&p->forest, node, added);
        node = added;
    }
}

/* Lines 40-42 and 79-81. */
static void plan_v(published *p, uint32_t length, bool has_dont) {
    make_plan(p, &p->v, &p->plan);
    if (!is_redundant(p, length)) {
        insert(p, length);
        if (has_dont) {
            add_dont(p, length, &p->dont);
        }
    }
}

/* ---- context-sensitive checks ---- */

static bool run_plan(published *p, uint32_t length, const positions *s) {
    make_plan(p, s, &p->comparison.sequence);
    return comparison_run(&p->comparison, p->base.exploration, length);
}

/* Lines 38 and 77: the state after e' equals that after the events up to e' with the race
 * reversed. */
static bool commutes(published *p, uint32_t e, uint32_t second) {
    positions reversed = {0}, none = {0};
    for (uint32_t i = 0; i < p->v.count; i++) {
        if (p->v.items[i] <= second) {
            vector_push(&reversed, p->v.items[i]);
        }
    }
    for (uint32_t i = e; i < second; i++) {
        if (i == e || happens_before(p, e, i)) {
            vector_push(&reversed, i);
        }
    }
    bool same = run_plan(p, second + 1, &none);
    comparison_keep(&p->comparison, p->base.exploration);
    same =
        same && run_plan(p, e, &reversed) && comparison_holds(&p->comparison, p->base.exploration);
    vector_free(&reversed);
    return same;
}

/* Lines 72-73: every observer has the same effect behind the reversed race. */
static bool observers_agree(published *p, uint32_t e, uint32_t last) {
    positions reversed = {0}, none = {0};
    for (uint32_t i = 0; i < p->v.count; i++) {
        if (p->v.items[i] <= last) {
            vector_push(&reversed, p->v.items[i]);
        }
    }
    for (uint32_t i = 0; i < p->observers.count; i++) {
        if (p->observers.items[i] != last) {
            vector_push(&reversed, p->observers.items[i]);
        }
    }
    bool same = true;
    for (uint32_t i = 0; i < p->observers.count && same; i++) {
        uint32_t o = p->observers.items[i];
        same = run_plan(p, o + 1, &none);
        comparison_keep(&p->comparison, p->base.exploration);
        same = same && run_plan(p, e, &reversed) &&
               comparison_holds_for(&p->comparison, p->base.exploration, event_of(p, o)->thread);
    }
    vector_free(&reversed);
    return same;
}

/* ---- race detection ---- */

/* The readers of e' that no other reader happens before. */
static void find_observers(published *p, uint32_t second) {
    uint32_t n = execution_length(execution_of(p));
    footprint left = footprint_writes(event_of(p, second)->footprint);
    vector_clear(&p->observers);
    for (uint32_t i = second + 1; i < n && left != FOOTPRINT_EMPTY; i++) {
        footprint f = event_of(p, i)->footprint;
        bool minimal = footprint_reads(f, left);
        for (uint32_t j = 0; j < p->observers.count && minimal; j++) {
            minimal = !happens_before(p, p->observers.items[j], i);
        }
        if (minimal) {
            vector_push(&p->observers, i);
        }
        left = footprint_remaining(left, f);
    }
}

/* Lines 70-74. */
static void reverse_observed(published *p, uint32_t e, uint32_t second) {
    uint32_t n = execution_length(execution_of(p));
    uint32_t last = vector_last(&p->observers);
    vector_clear(&p->v);
    add_ancestors(p, e, second);
    vector_push(&p->v, second);
    vector_push(&p->v, e);
    for (uint32_t i = e + 1; i < n; i++) {
        bool needed = false;
        for (uint32_t j = 0; j < p->observers.count; j++) {
            needed |= happens_before(p, i, p->observers.items[j]);
        }
        if (needed && !contains(&p->v, i)) {
            vector_push(&p->v, i);
        }
    }
    vector_push(&p->v, last);
    add_future_initials(p, e);
    bool agree = observers_agree(p, e, last);
    make_plan(p, &p->v, &p->dont);
    for (uint32_t i = 0; i < p->observers.count; i++) {
        if (p->observers.items[i] != last) {
            vector_push(&p->dont, step_at(p, p->observers.items[i]));
        }
    }
    plan_v(p, e, agree);
}

/* Lines 37-39 and 76-78. */
static void reverse(published *p, uint32_t e, uint32_t second) {
    vector_clear(&p->v);
    add_ancestors(p, e, second);
    vector_push(&p->v, second);
    add_future_initials(p, e);
    bool same = commutes(p, e, second);
    make_plan(p, &p->v, &p->dont);
    vector_push(&p->dont, step_at(p, e));
    plan_v(p, e, same);
}

/* e is in a race with e' that can be reversed. */
static bool is_race(const published *p, uint32_t e, uint32_t second) {
    const event *a = event_of(p, e), *b = event_of(p, second);
    if (a->thread == b->thread || !happens_before(p, e, second) ||
        !footprint_conflict(a->footprint, b->footprint) ||
        (b->flags & OPERATION_ACQUIRES && !a->acquired)) {
        return false;
    }
    for (uint32_t i = e + 1; i < second; i++) {
        if (happens_before(p, e, i) && happens_before(p, i, second)) {
            return false;
        }
    }
    return true;
}

static void detect(published *p) {
    uint32_t n = execution_length(execution_of(p));
    compute_order(p);
    for (uint32_t second = 0; second < n; second++) {
        for (uint32_t e = 0; e < second; e++) {
            if (!is_race(p, e, second)) {
                continue;
            }
            if (p->observing &&
                observed_relation(event_of(p, e)->footprint, event_of(p, second)->footprint) ==
                    RELATION_OBSERVED) {
                find_observers(p, second);
                reverse_observed(p, e, second);
            } else {
                reverse(p, e, second);
            }
        }
    }
    exploration_synchronise(p->base.exploration);
}

/* RaceDetection(E.p), where p is not taken. */
static void detect_with(published *p, uint32_t thread, uint32_t choice) {
    exploration *x = p->base.exploration;
    uint32_t length = execution_length(&x->execution);
    const operation *pending = x->target->class->pending(x->target, thread);
    if (pending && operation_enabled(pending)) {
        execution_append(&x->execution, thread, choice, pending);
        detect(p);
        execution_truncate(&x->execution, length);
        exploration_synchronise(x);
    }
}

/* ---- exploration ---- */

static bool is_to_be_done(void *context, uint32_t thread, const operation *pending) {
    const published *p = context;
    uint32_t length = execution_length(execution_of(p));
    for (uint32_t i = 0; i < operation_alternatives(pending); i++) {
        if (!in_dnd(p, length, thread, operation_choice(pending, i))) {
            return true;
        }
    }
    return false;
}

/* Lines 17-22. */
static enum decision extend(published *p, uint32_t root, uint32_t length) {
    exploration *x = p->base.exploration;
    uint32_t thread;
    bool refused;
    if (!exploration_pick(x, is_to_be_done, p, &thread, &refused)) {
        p->cut = refused;
        return refused ? DECISION_PRUNED : DECISION_MAXIMAL;
    }
    const operation *pending = x->target->class->pending(x->target, thread);
    for (uint32_t i = 0; i < operation_alternatives(pending); i++) {
        uint32_t choice = operation_choice(pending, i);
        if (!in_dnd(p, length, thread, choice)) {
            wakeup_append(&p->forest, root,
                          wakeup_new(&p->forest, thread, choice, pending->footprint));
        }
    }
    return DECISION_STEP;
}

static bool is_possible(published *p, const wakeup_node *node) {
    target *program = p->base.exploration->target;
    const operation *pending = program->class->pending(program, node->thread);
    return pending && operation_enabled(pending) &&
           operation_has_alternative(pending, node->choice);
}

/* Lines 23-26: children that are in the don't-do set, or cannot be taken, are dropped. */
static bool drop_children(published *p, uint32_t root, uint32_t length) {
    bool dropped = false;
    for (;;) {
        uint32_t child = wakeup_at(&p->forest, root)->first_child;
        if (child == WAKEUP_NONE) {
            return dropped;
        }
        wakeup_node first = *wakeup_at(&p->forest, child);
        bool pruned = in_dnd(p, length, first.thread, first.choice);
        if (!pruned && is_possible(p, &first)) {
            return dropped;
        }
        wakeup_prune(&p->forest, child);
        wakeup_drop_first(&p->forest, root);
        if (pruned) {
            detect_with(p, first.thread, first.choice);
        }
        dropped = true;
    }
}

static enum decision published_choose(strategy *s, step *next) {
    published *p = (published *)s;
    uint32_t length = execution_length(execution_of(p)), root = p->roots.items[length];
    p->cut = false;
    bool dropped = drop_children(p, root, length);
    if (wakeup_at(&p->forest, root)->first_child == WAKEUP_NONE) {
        enum decision decision = dropped ? DECISION_PRUNED : extend(p, root, length);
        if (decision != DECISION_STEP) {
            return decision;
        }
    }
    const wakeup_node *node = wakeup_at(&p->forest, wakeup_at(&p->forest, root)->first_child);
    *next = (step){node->thread, node->choice};
    return DECISION_STEP;
}

static void published_stepped(strategy *s) {
    published *p = (published *)s;
    uint32_t position = execution_length(execution_of(p)) - 1;
    const event *taken = event_of(p, position);
    vector_push(&p->roots, wakeup_at(&p->forest, p->roots.items[position])->first_child);
    sleep_descend(&p->sleep, taken);
    vector_push(&p->watches, (watch){0});
    watch_copy(&p->watches.items[position + 1], &p->watches.items[position]);
    watch_pass(&p->watches.items[position + 1], taken->thread, taken->choice, taken->footprint);
    vector_push(&p->dnd, (sequences){0});
    for (uint32_t i = 0; i < p->dnd.items[position].count; i++) {
        inherit(p, &p->dnd.items[position].items[i], taken);
    }
}

static void published_ended(strategy *s, enum decision decision) {
    published *p = (published *)s;
    uint32_t length = execution_length(execution_of(p));
    wakeup_prune(&p->forest, p->roots.items[length]);
    if (decision != DECISION_PRUNED) {
        detect(p);
        return;
    }
    for (uint32_t i = 0; p->cut && i < p->dnd.items[length].count; i++) {
        step_sequence one = p->dnd.items[length].items[i];
        if (one.count == 1) {
            detect_with(p, one.items[0].thread, one.items[0].choice);
        }
    }
}

static bool published_backtrack(strategy *s) {
    published *p = (published *)s;
    execution *e = &s->exploration->execution;
    for (uint32_t length = execution_length(e); length-- > 0;) {
        const event *done = execution_event(e, length);
        uint32_t root = p->roots.items[length];
        while (p->roots.count > length + 1) {
            pop_level(p);
        }
        sleep_ascend(&p->sleep, length);
        wakeup_drop_first(&p->forest, root);
        sleep_add(&p->sleep, (sleeper){done->thread, done->choice, done->footprint});
        watch_add(&p->watches.items[length], done->thread, done->choice, done->footprint);
        if (wakeup_at(&p->forest, root)->first_child != WAKEUP_NONE) {
            execution_truncate(e, length);
            return true;
        }
    }
    return false;
}

#define MAY_MISS "published-context and published-context-observers may miss behaviours"

extern const strategy_class strategy_published_context;
const strategy_class strategy_published_context = {
    .name = "published-context",
    .summary = "ISSTA 2019, Algorithm 1, as published: may miss behaviours",
    .unsound = MAY_MISS,
    .states_only = true,
    .create = published_create,
    .destroy = published_destroy,
    .choose = published_choose,
    .stepped = published_stepped,
    .ended = published_ended,
    .backtrack = published_backtrack,
};

extern const strategy_class strategy_published_context_observers;
const strategy_class strategy_published_context_observers = {
    .name = "published-context-observers",
    .summary = "ISSTA 2019, Algorithm 2, as published: may miss behaviours",
    .unsound = MAY_MISS,
    .states_only = true,
    .create = published_observers_create,
    .destroy = published_destroy,
    .choose = published_choose,
    .stepped = published_stepped,
    .ended = published_ended,
    .backtrack = published_backtrack,
};
