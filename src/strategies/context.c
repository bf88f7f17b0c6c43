/* Optimal-DPOR with context-sensitive pruning: the search of optimal.c, and a don't-do set at every
 * prefix. Where both orders of a race lead to the same state, what begins with the second order is
 * not explored.
 *
 * A step that is not to be done must not stand in for others. A wakeup sequence that goes below a
 * child only because the two are independent is lost if the child turns out to be one not to be
 * done: that is what makes the published algorithm miss states (ISSTA 2019, Algorithm 1). So such
 * sequences are remembered at the leaf where they end, and put back when the child is dropped. */
#include "core/dontdo.h"
#include "core/remembered.h"
#include "core/sleep.h"
#include "core/touch.h"
#include "core/wakeup.h"
#include "explore/blocked.h"
#include "explore/comparison.h"

typedef struct context {
    strategy base;
    sleep_stack sleep;
    dontdo_stack dontdo;
    wakeup_forest forest;
    VECTOR(uint32_t) roots; /* wut(E'), by length of the prefix */
    remembered_pool remembered;
    reversal reversal;
    planned planned;
    blocked_list blocked;
    touch_map touches;
    comparison comparison;
    kept_operation kept;
    bool refused_by_state;
} context;

static strategy *context_create(exploration *x) {
    (void)x;
    context *c = memory_resize(NULL, 0, sizeof *c);
    sleep_init(&c->sleep);
    dontdo_init(&c->dontdo);
    wakeup_init(&c->forest);
    reversal_init(&c->reversal);
    remembered_init(&c->remembered);
    vector_push(&c->roots, wakeup_new(&c->forest, 0, CHOICE_NONE, FOOTPRINT_EMPTY));
    return &c->base;
}

static void context_destroy(strategy *s) {
    context *c = (context *)s;
    s->exploration->dont_do = c->dontdo.most;
    sleep_free(&c->sleep);
    dontdo_free(&c->dontdo);
    wakeup_free(&c->forest);
    vector_free(&c->roots);
    remembered_free(&c->remembered);
    reversal_free(&c->reversal);
    planned_free(&c->planned);
    blocked_free(&c->blocked);
    touch_free(&c->touches);
    comparison_free(&c->comparison);
    kept_operation_free(&c->kept);
    memory_resize(c, sizeof *c, 0);
}

/* ---- wakeup trees ---- */

/* The first child of the node that is a weak initial of what is left of c->planned. */
static uint32_t follow(const context *c, uint32_t node, enum initial *initial) {
    uint32_t child = wakeup_at(&c->forest, node)->first_child;
    for (; child != WAKEUP_NONE; child = wakeup_at(&c->forest, child)->next_sibling) {
        const wakeup_node *n = wakeup_at(&c->forest, child);
        *initial = planned_initial(&c->planned, n->thread, n->choice, n->footprint);
        if (*initial != INITIAL_NOT) {
            break;
        }
    }
    return child;
}

/* What is left becomes a branch below the node. Returns its leaf. */
static uint32_t grow(context *c, uint32_t node) {
    for (uint32_t i = 0; i < c->planned.steps.count; i++) {
        const planned_step *s = &c->planned.steps.items[i];
        if (!s->consumed) {
            uint32_t added = wakeup_new(&c->forest, s->thread, s->choice, s->footprint);
            wakeup_append(&c->forest, node, added);
            node = added;
        }
    }
    return node;
}

/* Inserts c->planned into the tree of the prefix of that length. */
static void insert_planned(context *c, uint32_t length) {
    uint32_t node = c->roots.items[length];
    bool independent = false, covered = false;
    enum initial initial;
    for (uint32_t child; !covered && (child = follow(c, node, &initial)) != WAKEUP_NONE;) {
        independent |= initial == INITIAL_OUTSIDE;
        if (initial == INITIAL_INSIDE) {
            planned_consume(&c->planned, wakeup_at(&c->forest, child)->thread);
        }
        node = child;
        covered = wakeup_at(&c->forest, node)->first_child == WAKEUP_NONE;
    }
    if (!covered) {
        node = grow(c, node);
    }
    if (independent) {
        remembered_add(&c->remembered, node, &c->planned, length);
    }
}

/* The first child at E is not to be done: what is below it only because it is independent of that
 * step is inserted anew. */
static void drop_first(context *c, uint32_t length) {
    uint32_t root = c->roots.items[length], child = wakeup_at(&c->forest, root)->first_child;
    uint32_t thread = wakeup_at(&c->forest, child)->thread;
    uint32_t list = remembered_take(&c->remembered, &c->forest, child);
    wakeup_prune(&c->forest, child);
    wakeup_drop_first(&c->forest, root);
    for (uint32_t i = list; i != REMEMBERED_NONE; i = remembered_next(&c->remembered, i)) {
        if (!remembered_contains(&c->remembered, i, &c->base.exploration->execution, length, thread,
                                 &c->planned)) {
            insert_planned(c, length);
        }
    }
    remembered_drop(&c->remembered, list);
}

/* ---- exploration phase ---- */

static bool is_pruned(const context *c, uint32_t length, uint32_t thread, uint32_t choice) {
    return dontdo_contains(&c->dontdo, length, thread, choice);
}

static bool awake(void *user, uint32_t thread, const operation *pending) {
    context *c = user;
    uint32_t length = execution_length(&c->base.exploration->execution);
    if (sleep_contains(&c->sleep, length, thread, operation_choice(pending, 0))) {
        return false;
    }
    for (uint32_t i = 0; i < operation_alternatives(pending); i++) {
        if (!is_pruned(c, length, thread, operation_choice(pending, i))) {
            return true;
        }
    }
    c->refused_by_state = true;
    return false;
}

static enum decision extend(context *c, uint32_t length) {
    exploration *x = c->base.exploration;
    uint32_t thread;
    bool refused;
    c->refused_by_state = false;
    if (!exploration_pick(x, awake, c, &thread, &refused)) {
        return c->refused_by_state ? DECISION_PRUNED
               : refused           ? DECISION_REDUNDANT
                                   : DECISION_MAXIMAL;
    }
    const operation *pending = x->target->class->pending(x->target, thread);
    for (uint32_t i = 0; i < operation_alternatives(pending); i++) {
        uint32_t choice = operation_choice(pending, i);
        if (!is_pruned(c, length, thread, choice)) {
            wakeup_append(&c->forest, c->roots.items[length],
                          wakeup_new(&c->forest, thread, choice, pending->footprint));
        }
    }
    return DECISION_STEP;
}

static enum decision context_choose(strategy *s, step *next) {
    context *c = (context *)s;
    uint32_t length = execution_length(&s->exploration->execution);
    const wakeup_node *root = wakeup_at(&c->forest, c->roots.items[length]);
    bool pruned = false;
    while (root->first_child != WAKEUP_NONE) {
        const wakeup_node *child = wakeup_at(&c->forest, root->first_child);
        if (!is_pruned(c, length, child->thread, child->choice)) {
            break;
        }
        drop_first(c, length);
        root = wakeup_at(&c->forest, c->roots.items[length]);
        pruned = true;
    }
    if (root->first_child == WAKEUP_NONE) {
        enum decision decision = pruned ? DECISION_PRUNED : extend(c, length);
        if (decision != DECISION_STEP) {
            return decision;
        }
        root = wakeup_at(&c->forest, c->roots.items[length]);
    }
    const wakeup_node *node = wakeup_at(&c->forest, root->first_child);
    *next = (step){.thread = node->thread, .choice = node->choice};
    return DECISION_STEP;
}

static void context_stepped(strategy *s) {
    context *c = (context *)s;
    const execution *e = &s->exploration->execution;
    uint32_t position = execution_length(e) - 1;
    const event *taken = execution_event(e, position);
    uint32_t node = wakeup_at(&c->forest, c->roots.items[position])->first_child;
    DEBUG_CHECK(wakeup_at(&c->forest, node)->footprint == taken->footprint);
    sleep_descend(&c->sleep, taken);
    dontdo_descend(&c->dontdo, taken);
    if (wakeup_at(&c->forest, node)->first_child == WAKEUP_NONE) { /* all of the way was done */
        remembered_drop(&c->remembered, remembered_take(&c->remembered, &c->forest, node));
    }
    vector_push(&c->roots, node);
}

static bool context_backtrack(strategy *s) {
    context *c = (context *)s;
    execution *e = &s->exploration->execution;
    for (uint32_t length = execution_length(e); length-- > 0;) {
        const event *done = execution_event(e, length);
        uint32_t root = c->roots.items[length];
        c->roots.count = length + 1;
        sleep_ascend(&c->sleep, length);
        dontdo_ascend(&c->dontdo, length);
        wakeup_drop_first(&c->forest, root);
        sleep_add(&c->sleep, (sleeper){done->thread, done->choice, done->footprint});
        if (wakeup_at(&c->forest, root)->first_child != WAKEUP_NONE) {
            execution_truncate(e, length);
            return true;
        }
    }
    return false;
}

/* ---- race detection phase ---- */

static bool covered_by_sleep(context *c) {
    reversal *r = &c->reversal;
    const sleeper *end = sleep_end(&c->sleep, r->position);
    for (const sleeper *q = sleep_begin(&c->sleep, r->position); q < end; q++) {
        if (reversal_initial(r, q->thread, q->choice, q->footprint) != INITIAL_NOT) {
            return true;
        }
    }
    return false;
}

/* Some await looks at what the step touches. Whether it can go on is seen without any event, so the
 * races behind a cut do not show in the states that are equal: `rx / rx iy0 / wy1 rx / wx1 / wy1`.
 */
static bool is_awaited(const context *c, footprint f) {
    const execution *e = &c->base.exploration->execution;
    for (uint32_t i = 0; i < execution_length(e); i++) {
        const event *of = execution_event(e, i);
        if (of->kind == OPERATION_AWAIT && footprint_conflict(of->footprint, f)) {
            return true;
        }
    }
    for (uint32_t i = 0; i < c->blocked.threads.count; i++) {
        const operation *op = &c->blocked.threads.items[i].operation;
        if (op->kind == OPERATION_AWAIT && footprint_conflict(op->footprint, f)) {
            return true;
        }
    }
    return false;
}

/* Both orders of e and the last step of the reversal lead to the same state. */
static bool commutes(context *c) {
    const reversal *r = &c->reversal;
    return !is_awaited(c, execution_event(r->execution, r->position)->footprint) &&
           !is_awaited(c, r->last_footprint) &&
           comparison_commutes_reversed(&c->comparison, c->base.exploration, r);
}

static void insert(context *c, uint32_t thread, const operation *op) {
    reversal *r = &c->reversal;
    op = operation_keep(&c->kept, op); /* the target is used for comparisons */
    for (uint32_t i = 0; i < operation_alternatives(op); i++) {
        reversal_set_last(r, thread, operation_choice(op, i), op);
        if (covered_by_sleep(c)) {
            continue;
        }
        planned_take(&c->planned, r);
        insert_planned(c, r->position);
        if (commutes(c)) {
            const step_sequence *s = &c->comparison.sequence;
            dontdo_add(&c->dontdo, r->position, s->items, s->count, DONTDO_UNTAGGED);
        }
    }
}

/* As in optimal.c. */
static void consider(context *c, uint32_t thread, const operation *op) {
    const reversal *r = &c->reversal;
    const event *first = execution_event(r->execution, r->position);
    if (op->flags & OPERATION_VARIES) {
        if (!footprint_conflict(first->footprint, op->footprint) &&
            !operation_caused_by(op, first->thread, first->index)) {
            return;
        }
        op = exploration_probe_events(c->base.exploration, r->position, r->events.items,
                                      r->events.count, thread);
        if (op && operation_enabled(op) && footprint_conflict(first->footprint, op->footprint)) {
            insert(c, thread, op);
        }
    } else if (footprint_conflict(first->footprint, op->footprint) &&
               (!(op->flags & OPERATION_ACQUIRES) || first->acquired) &&
               reversal_has_causes(r, op->causes, op->cause_count)) {
        insert(c, thread, op);
    }
}

static void reverse(context *c, const execution *e, uint32_t position) {
    const event *first = execution_event(e, position);
    if (first->footprint == FOOTPRINT_EMPTY ||
        (!c->blocked.threads.count && touch_is_private(&c->touches, first))) {
        return;
    }
    reversal_open(&c->reversal, position);
    for (uint32_t i = 0; i < c->reversal.after.count; i++) {
        const event *second = execution_event(e, c->reversal.after.items[i]);
        operation op = execution_operation(e, c->reversal.after.items[i]);
        consider(c, second->thread, &op);
    }
    for (uint32_t i = 0; i < c->blocked.threads.count; i++) {
        const blocked_thread *b = &c->blocked.threads.items[i];
        if (b->thread != execution_event(e, position)->thread &&
            c->reversal.end.items[b->thread] == execution_thread_events(e, b->thread)) {
            consider(c, b->thread, &b->operation);
        }
    }
}

static void context_ended(strategy *s, enum decision decision) {
    context *c = (context *)s;
    const execution *e = &s->exploration->execution;
    if (decision != DECISION_MAXIMAL) {
        uint32_t root = c->roots.items[execution_length(e)];
        remembered_drop(&c->remembered, remembered_take(&c->remembered, &c->forest, root));
        wakeup_prune(&c->forest, root);
    }
    blocked_collect(&c->blocked, s->exploration);
    reversal_start(&c->reversal, e);
    touch_start(&c->touches, e);
    for (uint32_t position = execution_length(e); position-- > 0;) {
        reverse(c, e, position);
        touch_pass(&c->touches, execution_event(e, position));
    }
}

extern const strategy_class strategy_context;
const strategy_class strategy_context = {
    .name = "context",
    .summary = "context-sensitive optimal-DPOR: every final state, not every trace",
    .states_only = true,
    .create = context_create,
    .destroy = context_destroy,
    .choose = context_choose,
    .stepped = context_stepped,
    .ended = context_ended,
    .backtrack = context_backtrack,
};
