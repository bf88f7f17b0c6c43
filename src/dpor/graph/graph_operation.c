/* What an operation means as an event.
 *
 * The state of a synchronisation object is a value, which all its operations read and write, one
 * right after the other: a mutex is 0 or held, a semaphore how many it has, a read-write lock how
 * many readers have it, or negative, a once 0, 1 while it is being initialised, and 2, a condition
 * the set of threads that wait. They are executed in that order, so that the target needs no
 * versions of them. Coarser than needed: two readers are ordered. A signal chooses whom it wakes;
 * that happens before nothing (C11), but the waiter cannot go on without it. */
#include "dpor/graph/graph.h"

bool graph_takes(enum operation_kind kind) {
    switch (kind) {
        case OPERATION_LOCK:
        case OPERATION_RELOCK:
        case OPERATION_SEMAPHORE_WAIT:
        case OPERATION_READ_LOCK:
        case OPERATION_WRITE_LOCK:
        case OPERATION_ONCE: return true;
        default: return false;
    }
}

bool graph_compares(enum operation_kind kind) {
    return kind == OPERATION_CAS || kind == OPERATION_TRYLOCK;
}

bool graph_would_write(const graph_event *e, uint64_t value) {
    switch ((enum operation_kind)e->operation) {
        case OPERATION_READ:
        case OPERATION_AWAIT: return false;
        case OPERATION_CAS:
        case OPERATION_TRYLOCK: return value == e->expected;
        case OPERATION_ONCE: return value == 0;
        default: return true;
    }
}

bool graph_would_pass(const graph_event *e, uint64_t value) {
    switch ((enum operation_kind)e->operation) {
        case OPERATION_AWAIT: return operation_compare_holds(e->compare, value, e->expected);
        case OPERATION_LOCK:
        case OPERATION_RELOCK:
        case OPERATION_WRITE_LOCK: return value == 0;
        case OPERATION_SEMAPHORE_WAIT: return (int64_t)value > 0;
        case OPERATION_READ_LOCK: return (int64_t)value >= 0;
        case OPERATION_ONCE: return value != 1;
        default: return true;
    }
}

bool graph_would_fail(const graph_event *e, uint64_t value) {
    switch ((enum operation_kind)e->operation) {
        case OPERATION_CAS:
        case OPERATION_TRYLOCK: return value != e->expected;
        case OPERATION_SEMAPHORE_TRY: return (int64_t)value <= 0;
        case OPERATION_TRY_READ_LOCK: return (int64_t)value < 0;
        case OPERATION_TRY_WRITE_LOCK: return value != 0;
        default: return false;
    }
}

uint32_t graph_next_waiter(uint64_t waiters, uint32_t after) {
    uint32_t first = after == GRAPH_NONE ? 0 : after + 1;
    CHECK(first <= GRAPH_MOST_WAITERS);
    for (uint32_t thread = first; thread < GRAPH_MOST_WAITERS; thread++) {
        if (waiters >> thread & 1) {
            return thread;
        }
    }
    return GRAPH_NONE;
}

/* What fails has an order of its own. */
static enum access_order order_of(const graph_event *e) {
    return e->fails ? e->failure : e->order;
}

/* Only RC11 looks at orders; elsewhere every read acquires and every write releases. */
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
    switch ((enum graph_kind)e->kind) {
        case GRAPH_READ:
            return e->exclusive || graph_compares(e->operation) || e->operation == OPERATION_ONCE;
        case GRAPH_WRITE: return e->exclusive || e->order == ORDER_SEQ_CST;
        case GRAPH_FENCE: /* a relaxed one stands for an operation that only x86 takes for one */
            return e->order == ORDER_SEQ_CST || e->order == ORDER_RELAXED;
        case GRAPH_OTHER:
            return e->operation == OPERATION_SPAWN || e->operation == OPERATION_JOIN ||
                   e->operation == OPERATION_ARRIVE || e->operation == OPERATION_LEAVE;
    }
    return false;
}

void graph_set_orders(graph_event *e) {
    switch ((enum operation_kind)e->operation) {
        case OPERATION_WAIT:
        case OPERATION_SIGNAL:
        case OPERATION_BROADCAST: e->order = ORDER_RELAXED; break;
        case OPERATION_LOCK:
        case OPERATION_RELOCK:
        case OPERATION_TRYLOCK:
        case OPERATION_SEMAPHORE_WAIT:
        case OPERATION_SEMAPHORE_TRY:
        case OPERATION_READ_LOCK:
        case OPERATION_WRITE_LOCK:
        case OPERATION_TRY_READ_LOCK:
        case OPERATION_TRY_WRITE_LOCK:
        case OPERATION_ONCE:
            e->order = ORDER_ACQUIRE;
            e->failure = ORDER_RELAXED;
            break;
        case OPERATION_UNLOCK:
        case OPERATION_WAIT_UNLOCK:
        case OPERATION_POST:
        case OPERATION_ONCE_END: e->order = ORDER_RELEASE; break;
        default: break;
    }
}
