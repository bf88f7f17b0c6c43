/* All executions with a bounded number of preemptions (Musuvathi and Qadeer, PLDI 2007). A
 * preemption is a switch to another thread although the last one could continue; a switch after a
 * thread that is blocked, has ended or only pauses is none. Most bugs need few of them, and the
 * number of such executions is polynomial in their length.
 *
 * Every such interleaving is run, each once. Rejected: bounding one of the algorithms with
 * reduction: the execution that represents a class may have more preemptions than others of that
 * class, so that leaving it out loses behaviours within the bound. Plain accesses are done in
 * passing: without data races, which are errors, preemptions there show nothing new.
 *
 * If the bound left nothing out, the exploration is complete. */
#include "dpor/bounded.h"

#include "explore/exploration.h"

/* A prefix of the current execution, and the steps to be taken after it. */
typedef struct bounded_node {
    uint32_t first, current; /* in `steps`; up to those of the next node */
    uint32_t running;        /* the thread of the last step, if it could continue, or NOBODY */
    uint32_t preemptions;    /* of the prefix */
} bounded_node;

#define NOBODY UINT32_MAX

typedef struct bounded {
    strategy base;
    VECTOR(bounded_node) nodes; /* by length of the prefix */
    VECTOR(step) steps;
} bounded;

static const operation *enabled_operation(exploration *x, uint32_t thread) {
    const operation *pending = exploration_pending(x, thread);
    return pending && operation_enabled(pending) ? pending : NULL;
}

static uint32_t running_thread(exploration *x) {
    uint32_t length = execution_length(&x->execution);
    if (!length) {
        return NOBODY;
    }
    uint32_t thread = execution_event(&x->execution, length - 1)->thread;
    const operation *pending = enabled_operation(x, thread);
    return pending && !operation_has_role(pending->kind, ROLE_YIELDS) ? thread : NOBODY;
}

static uint32_t count_preemptions(const bounded *b) {
    if (!b->nodes.count) {
        return 0;
    }
    const bounded_node *last = &vector_at(&b->nodes, b->nodes.count - 1);
    uint32_t thread = vector_at(&b->steps, last->current).thread;
    return last->preemptions + (last->running != NOBODY && last->running != thread);
}

static void add_steps(bounded *b, uint32_t thread, const operation *pending) {
    for (uint32_t i = 0; i < operation_alternatives(pending); i++) {
        vector_push(&b->steps, (step){thread, operation_choice(pending, i)});
    }
}

/* The running thread first, so that the first execution has no preemption. */
static void open_node(bounded *b) {
    exploration *x = b->base.exploration;
    uint32_t start = b->steps.count, running = running_thread(x);
    bounded_node node = {start, start, running, count_preemptions(b)};
    CHECK(node.preemptions <= x->most_preemptions);
    if (running != NOBODY) {
        add_steps(b, running, enabled_operation(x, running));
    }
    for (uint32_t t = 0, n = x->target->class->thread_count(x->target); t < n; t++) {
        const operation *pending = t == running ? NULL : enabled_operation(x, t);
        if (pending && running != NOBODY && node.preemptions >= x->most_preemptions) {
            x->left_out = true;
        } else if (pending) {
            add_steps(b, t, pending);
        }
    }
    vector_push(&b->nodes, node);
}

static enum decision bounded_choose(strategy *s, step *next) {
    bounded *b = (bounded *)s;
    uint32_t length = execution_length(&s->exploration->execution);
    CHECK(length <= b->nodes.count);
    if (b->nodes.count == length) {
        open_node(b);
    }
    const bounded_node *node = &vector_at(&b->nodes, length);
    if (node->first == b->steps.count) {
        return DECISION_MAXIMAL;
    }
    *next = vector_at(&b->steps, node->current);
    return DECISION_STEP;
}

static bool bounded_backtrack(strategy *s) {
    bounded *b = (bounded *)s;
    while (b->nodes.count) {
        bounded_node *node = &vector_at(&b->nodes, b->nodes.count - 1);
        if (++node->current < b->steps.count) {
            execution_truncate(&s->exploration->execution, b->nodes.count - 1);
            return true;
        }
        b->steps.count = node->first;
        b->nodes.count--;
    }
    return false;
}

static void bounded_free(strategy *s) {
    bounded *b = (bounded *)s;
    vector_free(&b->nodes);
    vector_free(&b->steps);
}

const strategy_class strategy_bounded = {
    .name = "preemption-bound",
    .summary = "all executions with few preemptions",
    .fine = true,
    .any_steps = true,
    .size = sizeof(bounded),
    .free = bounded_free,
    .choose = bounded_choose,
    .backtrack = bounded_backtrack,
};
