/* What a thread will do next. One type with a kind; a new primitive is a new kind.
 *
 * A step is one operation and all local code of the thread up to its next operation, so the
 * pending operation of every thread is always known. */
#ifndef HEDDLE_CORE_OPERATION_H
#define HEDDLE_CORE_OPERATION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vector.h"
#include "core/footprint.h"

/*        kind              word in schedules and reports */
#define OPERATION_KINDS(X)                   \
    X(OPERATION_NONE, "none")                \
    X(OPERATION_READ, "read")                \
    X(OPERATION_WRITE, "write")              \
    X(OPERATION_ADD, "fetch-add")            \
    X(OPERATION_EXCHANGE, "exchange")        \
    X(OPERATION_CAS, "compare-and-swap")     \
    X(OPERATION_AWAIT, "await")              \
    X(OPERATION_ATOMIC, "atomic section")    \
    X(OPERATION_LOCK, "lock")                \
    X(OPERATION_UNLOCK, "unlock")            \
    X(OPERATION_TRYLOCK, "trylock")          \
    X(OPERATION_INIT, "initialise")          \
    X(OPERATION_DESTROY, "destroy")          \
    X(OPERATION_WAIT, "wait")                \
    X(OPERATION_WAIT_UNLOCK, "wait: unlock") \
    X(OPERATION_TIMEOUT, "wait: time-out")   \
    X(OPERATION_RELOCK, "wait: lock again")  \
    X(OPERATION_SIGNAL, "signal")            \
    X(OPERATION_BROADCAST, "broadcast")      \
    X(OPERATION_CHOOSE, "choose")            \
    X(OPERATION_SPAWN, "spawn")              \
    X(OPERATION_JOIN, "join")                \
    X(OPERATION_MODIFY, "fetch-and-modify")  \
    X(OPERATION_SEND, "send")                \
    X(OPERATION_RECEIVE, "receive")

#define OPERATION_ENUM(kind, word) kind,
enum operation_kind { OPERATION_KINDS(OPERATION_ENUM) OPERATION_KIND_COUNT };
#undef OPERATION_ENUM

const char *operation_word(enum operation_kind kind);

enum operation_flag {
    /* The thread can take this step now. */
    OPERATION_ENABLED = 1,
    /* An acquisition that waits while another thread holds the object (lock, lock again): it races
       with what found the object free, and an unlock is never reversed with the acquisition that it
       enables. */
    OPERATION_ACQUIRES = 2,
    /* Footprint, alternatives or enabledness depend on shared state (a compare-and-swap, an
       await, a signal, an atomic section with branches): in another place of the execution the
       operation has to be asked for again. */
    OPERATION_VARIES = 4,
    /* It may wake waiters (signal, broadcast): without it a timed waiter does something else. */
    OPERATION_WAKES = 8,
};

/* When an await may go on: what its object holds, compared as a signed number with `expected`. */
enum operation_compare {
    OPERATION_IS_EQUAL,
    OPERATION_IS_NOT_EQUAL,
    OPERATION_IS_LESS,
    OPERATION_IS_LESS_EQUAL,
    OPERATION_IS_GREATER,
    OPERATION_IS_GREATER_EQUAL,
};

bool operation_compare_holds(enum operation_compare, uint64_t value, uint64_t expected);

/* An edge of happens-before that is never reversed: the first `events` events of `thread` come
 * before the operation (creation, join, waker, message). */
typedef struct cause {
    uint32_t thread;
    uint32_t events;
} cause;

#define CHOICE_NONE UINT32_MAX

typedef struct operation {
    uint8_t kind;
    uint8_t flags;
    uint32_t object;   /* what it is about, for reports; the child for spawn and join */
    uint32_t location; /* the target's number for a place in the source */
    footprint footprint;
    uint64_t expected; /* what a compare-and-swap of one object, or an await, compares with */
    uint8_t compare;   /* enum operation_compare, of an await */
    /* Alternatives of a data or wake-up choice, by value: part of the identity of a step.
       choice_count 0: none, the step's choice is CHOICE_NONE. choices NULL: 0..choice_count-1. */
    uint32_t choice_count;
    const uint32_t *choices;
    const cause *causes; /* good while the operation is pending; complete once enabled */
    uint32_t cause_count;
} operation;

static inline bool operation_enabled(const operation *o) {
    return (o->flags & OPERATION_ENABLED) != 0;
}

/* Event `index` of `thread` is one of its causes. */
static inline bool operation_caused_by(const operation *o, uint32_t thread, uint32_t index) {
    for (uint32_t i = 0; i < o->cause_count; i++) {
        if (o->causes[i].thread == thread && o->causes[i].events == index + 1) {
            return true;
        }
    }
    return false;
}

/* A copy of an operation that is good for longer than the target's own. */
typedef struct kept_operation {
    operation operation;
    VECTOR(cause) causes;
    VECTOR(uint32_t) choices;
} kept_operation;

const operation *operation_keep(kept_operation *, const operation *);
void kept_operation_free(kept_operation *);

/* Alternative i; an operation without alternatives has exactly one, CHOICE_NONE. */
static inline uint32_t operation_alternatives(const operation *o) {
    return o->choice_count ? o->choice_count : 1;
}

static inline uint32_t operation_choice(const operation *o, uint32_t i) {
    return !o->choice_count ? CHOICE_NONE : o->choices ? o->choices[i] : i;
}

static inline bool operation_has_alternative(const operation *o, uint32_t choice) {
    for (uint32_t i = 0; i < operation_alternatives(o); i++) {
        if (operation_choice(o, i) == choice) {
            return true;
        }
    }
    return false;
}

#endif
