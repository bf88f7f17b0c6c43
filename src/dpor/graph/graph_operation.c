/* What an operation means as an event.
 *
 * The state of a synchronisation object is a value, which all its operations read and write, one
 * right after the other: a mutex is 0 or held, a semaphore its value, a read-write lock the number
 * of readers that hold it, or negative, a once control 0, 1 during initialisation, and 2, a
 * condition the set of threads that wait; or the object was destroyed. The operations are executed
 * in that order, so that the target needs no versions of them. Coarser than needed: two readers are
 * ordered. A signal chooses whom it wakes; that happens before nothing (C11), but the waiter cannot
 * continue without it. */
#include "dpor/graph/graph.h"

bool graph_takes(enum operation_kind kind) {
    return graph_meaning_of(kind)->traits & TRAIT_TAKES;
}

static bool holds(enum graph_condition condition, const graph_event *e, uint64_t value) {
    switch (condition) {
        case WHEN_ANY: return true;
        case WHEN_NONE: return false;
        case WHEN_EXPECTED: return value == e->expected;
        case WHEN_AWAITED: return operation_compare_holds(e->compare, value, e->expected);
        case WHEN_ZERO: return value == 0;
        case WHEN_UNHELD: return value == 0 || value == OPERATION_DESTROYED;
        case WHEN_POSITIVE: return (int64_t)value > 0;
        case WHEN_UNWRITTEN: return (int64_t)value >= 0;
        case WHEN_SETTLED: return value != 1;
    }
    return false;
}

bool graph_would_write(const graph_event *e, uint64_t value) {
    return holds(graph_meaning_of(e->operation)->writes, e, value);
}

bool graph_would_pass(const graph_event *e, uint64_t value) {
    return holds(graph_meaning_of(e->operation)->passes, e, value);
}

bool graph_would_fail(const graph_event *e, uint64_t value) {
    return !holds(graph_meaning_of(e->operation)->succeeds, e, value);
}

uint32_t graph_next_waiter(uint64_t waiters, uint32_t after) {
    uint32_t first = after == GRAPH_NONE ? 0 : after + 1;
    CHECK(first <= GRAPH_MOST_WAITERS);
    for (uint32_t thread = first; waiters != OPERATION_DESTROYED && thread < GRAPH_MOST_WAITERS;
         thread++) {
        if (waiters >> thread & 1) {
            return thread;
        }
    }
    return GRAPH_NONE;
}

/* A failed operation has a memory order of its own. */
static enum access_order order_of(const graph_event *e) {
    return e->fails ? e->failure : e->order;
}

/* Only RC11 uses memory orders; elsewhere every read acquires and every write releases. */
bool graph_acquires(const graph *g, const graph_event *e) {
    enum access_order order = order_of(e);
    bool any = g->model != MODEL_RC11 && e->kind != GRAPH_FENCE;
    return any || order == ORDER_ACQUIRE || order == ORDER_ACQ_REL || order == ORDER_SEQ_CST;
}

bool graph_releases(const graph *g, const graph_event *e) {
    enum access_order order = order_of(e);
    bool any = g->model != MODEL_RC11 && e->kind != GRAPH_FENCE;
    return any || order == ORDER_RELEASE || order == ORDER_ACQ_REL || order == ORDER_SEQ_CST;
}

bool graph_is_sequential(const graph_event *e) {
    return e->kind != GRAPH_OTHER && order_of(e) == ORDER_SEQ_CST;
}

bool graph_drains(const graph_event *e) {
    const graph_meaning *m = graph_meaning_of(e->operation);
    switch ((enum graph_kind)e->kind) {
        case GRAPH_READ: return e->exclusive || m->traits & TRAIT_DRAINS;
        case GRAPH_WRITE: return e->exclusive || e->order == ORDER_SEQ_CST;
        case GRAPH_FENCE: /* a relaxed one is an operation that is a fence only on x86 */
            return e->order == ORDER_SEQ_CST || e->order == ORDER_RELAXED;
        case GRAPH_OTHER: return m->kind == GRAPH_OTHER && m->traits & TRAIT_DRAINS;
    }
    return false;
}

void graph_set_orders(graph_event *e) {
    switch ((enum graph_orders)graph_meaning_of(e->operation)->orders) {
        case ORDERS_OWN: break;
        case ORDERS_NONE: e->order = ORDER_RELAXED; break;
        case ORDERS_ACQUIRE:
            e->order = ORDER_ACQUIRE;
            e->failure = ORDER_RELAXED;
            break;
        case ORDERS_RELEASE: e->order = ORDER_RELEASE; break;
    }
}
