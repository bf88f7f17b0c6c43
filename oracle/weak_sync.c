/* Semaphores, read-write locks and onces as cells: every operation reads and writes the state of
 * its object. A condition holds the set of the threads that wait for it, a semaphore how many it
 * has, a read-write lock how many readers have it, or the negative of its writer + 1, a once 0, 1
 * while it is being initialised, and 2. A mutex or a condition that was destroyed holds
 * WEAK_DESTROYED; whatever but its initialisation comes then is an error and leaves it so. */
#include "oracle/weak_thread.h"

static bool is_condition(enum instruction_kind kind) {
    return kind == INSTRUCTION_WAIT || kind == INSTRUCTION_SIGNAL || kind == INSTRUCTION_BROADCAST;
}

/* Of a mutex or a condition. */
static bool changes_life(enum instruction_kind kind) {
    return kind == INSTRUCTION_INIT || kind == INSTRUCTION_DESTROY;
}

bool weak_sync_is(enum instruction_kind kind) {
    return (kind >= INSTRUCTION_SEMAPHORE_WAIT && kind <= INSTRUCTION_ONCE_END &&
            kind != INSTRUCTION_BARRIER) ||
           is_condition(kind) || changes_life(kind);
}

/* It is an error: the mutex is locked, the condition waited for, or what is used was destroyed. */
static bool is_misuse(enum instruction_kind kind, int64_t value) {
    bool destroyed = value == WEAK_DESTROYED, used = value != 0 && !destroyed;
    return (is_condition(kind) && destroyed) || (kind == INSTRUCTION_DESTROY && destroyed) ||
           (changes_life(kind) && used);
}

bool weak_sync_tries(enum instruction_kind kind) {
    return kind == INSTRUCTION_SEMAPHORE_TRY || kind == INSTRUCTION_TRY_READ_LOCK ||
           kind == INSTRUCTION_TRY_WRITE_LOCK;
}

static bool obtains(enum instruction_kind kind, int64_t value) {
    switch (kind) {
        case INSTRUCTION_SEMAPHORE_WAIT:
        case INSTRUCTION_SEMAPHORE_TRY: return value > 0;
        case INSTRUCTION_READ_LOCK:
        case INSTRUCTION_TRY_READ_LOCK: return value >= 0;
        case INSTRUCTION_WRITE_LOCK:
        case INSTRUCTION_TRY_WRITE_LOCK: return value == 0;
        case INSTRUCTION_ONCE: return value != 1;
        default: return true;
    }
}

bool weak_sync_holds(enum instruction_kind kind, int64_t value) {
    return weak_sync_tries(kind) || obtains(kind, value);
}

bool weak_sync_writes(enum instruction_kind kind, int64_t value) {
    return kind != INSTRUCTION_ONCE || value == 0;
}

int64_t weak_sync_written(enum instruction_kind kind, uint32_t thread, int64_t value) {
    if (!obtains(kind, value) || is_misuse(kind, value)) {
        return value;
    }
    switch (kind) {
        case INSTRUCTION_INIT: return 0;
        case INSTRUCTION_DESTROY: return WEAK_DESTROYED;
        case INSTRUCTION_SEMAPHORE_WAIT:
        case INSTRUCTION_SEMAPHORE_TRY: return value - 1;
        case INSTRUCTION_WRITE_LOCK:
        case INSTRUCTION_TRY_WRITE_LOCK: return -(int64_t)thread - 1;
        case INSTRUCTION_RELEASE: return value < 0 ? 0 : value - 1;
        case INSTRUCTION_ONCE_END: return 2;
        case INSTRUCTION_WAIT: return value | (int64_t)1 << thread;
        case INSTRUCTION_SIGNAL: return value; /* without the one that it wakes */
        case INSTRUCTION_BROADCAST: return 0;
        default: return value + 1; /* a post, a reader, the one that initialises */
    }
}

enum access_order weak_sync_order(enum instruction_kind kind, int64_t value) {
    bool gives =
        kind == INSTRUCTION_POST || kind == INSTRUCTION_RELEASE || kind == INSTRUCTION_ONCE_END;
    bool orders = !is_condition(kind) && !changes_life(kind) && obtains(kind, value);
    return gives ? ORDER_RELEASE : orders ? ORDER_ACQUIRE : ORDER_RELAXED;
}

int64_t weak_sync_result(enum instruction_kind kind, int64_t value) {
    return kind == INSTRUCTION_ONCE ? value == 0 : obtains(kind, value);
}

/* Which read-write locks the thread holds; false: it is an error. */
bool weak_sync_hold(weak_thread *t, const weak_op *op, int64_t value) {
    enum instruction_kind kind = op->instruction->kind;
    bool reads = kind == INSTRUCTION_READ_LOCK || kind == INSTRUCTION_TRY_READ_LOCK;
    bool writes = kind == INSTRUCTION_WRITE_LOCK || kind == INSTRUCTION_TRY_WRITE_LOCK;
    uint32_t bit = 1u << op->cell;
    if (op->fails || is_misuse(kind, value)) {
        return false;
    }
    if (kind == INSTRUCTION_RELEASE) {
        t->shares[op->cell] = (uint8_t)(t->shares[op->cell] - !(t->held & bit));
        t->held &= ~bit;
    } else if (obtains(kind, value)) {
        t->shares[op->cell] = (uint8_t)(t->shares[op->cell] + reads);
        t->held |= writes ? bit : 0;
    }
    return true;
}
