/* What a thread will do next. One type with a kind; everything known about a kind is in one table.
 *
 * A step is one operation and all local code of the thread up to its next operation, so the pending
 * operation of every thread is always known. */
#ifndef HEDDLE_CORE_OPERATION_H
#define HEDDLE_CORE_OPERATION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory_model.h"
#include "base/vector.h"
#include "core/footprint.h"

/* What reports show of an operation in addition to its word. */
enum operation_show {
    SHOWS_OBJECT = 1,
    SHOWS_THREAD = 2,   /* its object is a thread */
    SHOWS_RESULT = 4,   /* what it read or returned */
    SHOWS_VALUE = 8,    /* what it wrote or sent */
    SHOWS_CELLS = 16,   /* what it accesses */
    SHOWS_SUCCESS = 64, /* whether it did what it tried, and what the object holds */
    SHOWS_TURN = 128,   /* whether it is the first, and has something to do */
    SHOWS_WHOLE =
        32, /* its object begins a larger one, which is named instead: "q" for "q->head" */
};

/* What an operation does to its object. What depends on the state is a flag of the operation. */
enum operation_role {
    ROLE_TAKES = 1,      /* the thread then holds the object, if it was free */
    ROLE_RELEASES = 2,   /* the thread no longer holds it */
    ROLE_WAITS = 4,      /* the thread is then one of the waiters of the object */
    ROLE_RESUMES = 8,    /* blocked until the thread is woken from its latest ROLE_WAITS */
    ROLE_WAKES_ONE = 16, /* the waiter that is its choice; none without a choice */
    ROLE_WAKES_ALL = 32,
    ROLE_AWAITS = 64,      /* blocked until the object holds `expected`, as `compare` says */
    ROLE_COMPARES = 128,   /* writes only if the object holds `expected` */
    ROLE_YIELDS = 256,     /* accesses nothing; the thread has run for long without a step */
    ROLE_SECTION = 512,    /* many operations in one, each of which may have alternatives */
    ROLE_SELECTS = 1024,   /* which objects it accesses may depend on the state */
    ROLE_TIMES_OUT = 2048, /* the thread no longer waits, although nobody has woken it */
    ROLE_READS = 4096,     /* a single access to memory that reads it, */
    ROLE_WRITES = 8192,    /* or may write it */
    ROLE_FENCES = 16384,   /* orders the accesses of its thread */
    ROLE_CHOOSES = 32768,  /* its alternatives are values, independent of any object */
    /* Whether it can continue does not follow from the value of one object: memory that a mutex
     * protects, units of a semaphore, readers and writers. */
    ROLE_OPAQUE = 65536,
    ROLE_REPEATS = 131072, /* a loop that waits for other threads may consist of it */
    /* So may a loop around waits that time out, if attempts fail and what was acquired is released
     * (targets/runtime/sync/rounds.h). */
    ROLE_REPEATS_TIMED = 262144,
    ROLE_TRIES = 524288, /* it may fail, which its value shows, and then has changed nothing */
};

/* How an operation changes the state of its object. The state of a mutex is 1 if it is held, of a
 * semaphore the number of its units, of a read-write lock the number of its readers or negative if
 * it is locked for writing, of a condition the set of its waiters, of a once control 1 while it is
 * run and then 2. */
enum operation_effect {
    MAKES_UNKNOWN, /* the target knows: memory */
    MAKES_HELD,    /* 1 */
    MAKES_FREE,    /* 0 */
    MAKES_DONE,    /* 2 */
    MAKES_MORE,    /* one more */
    MAKES_LESS,    /* one less, unless it is 0 */
    MAKES_READ,    /* one more reader, unless locked for writing */
    MAKES_WRITTEN, /* locked for writing, if it was free */
    MAKES_WAITER,  /* the thread joins the set */
    MAKES_ABSENT,  /* the thread leaves the set */
    MAKES_SAME,    /* it only reads the state */
    MAKES_NEW,     /* 0, unless it is in use */
    MAKES_GONE,    /* OPERATION_DESTROYED, unless it is in use */
};

/* The state of a mutex or a condition that was destroyed, where the target cannot otherwise
 * distinguish lifetimes of an object (target.h: `generation`). Only an initialisation changes it.
 * */
#define OPERATION_DESTROYED UINT64_MAX

/* All kinds: the word in schedules and reports, what reports show, the roles, the effect, and the
 * phrase for a thread that is blocked in it, before the object's name (NULL: it never blocks).
 *
 * This is all that core, explore, dpor, report and cli know of a kind: they test roles and never
 * name a kind (tests/include-rules.sh), so that a new primitive needs one row here, or none if
 * these kinds suffice. The exploration of execution graphs has another row for each
 * (dpor/graph/graph_meaning.c). */
// clang-format off
#define OPERATION_KINDS(X) \
    X(OPERATION_NONE, "none", 0, 0, MAKES_UNKNOWN, NULL) \
    X(OPERATION_READ, "read", SHOWS_OBJECT | SHOWS_RESULT, ROLE_READS | ROLE_REPEATS | ROLE_REPEATS_TIMED, MAKES_UNKNOWN, NULL) \
    X(OPERATION_WRITE, "write", SHOWS_OBJECT | SHOWS_VALUE, ROLE_WRITES, MAKES_UNKNOWN, NULL) \
    X(OPERATION_ADD, "fetch-add", SHOWS_OBJECT | SHOWS_RESULT, ROLE_READS | ROLE_WRITES | ROLE_REPEATS, MAKES_UNKNOWN, NULL) \
    X(OPERATION_EXCHANGE, "exchange", SHOWS_OBJECT | SHOWS_RESULT, ROLE_READS | ROLE_WRITES | ROLE_REPEATS, MAKES_UNKNOWN, NULL) \
    X(OPERATION_CAS, "compare-and-swap", SHOWS_OBJECT | SHOWS_RESULT | SHOWS_SUCCESS, ROLE_COMPARES | ROLE_READS | ROLE_WRITES | ROLE_REPEATS, MAKES_UNKNOWN, NULL) \
    X(OPERATION_AWAIT, "await", SHOWS_OBJECT | SHOWS_RESULT, ROLE_AWAITS | ROLE_READS, MAKES_UNKNOWN, "waits for a change of") \
    X(OPERATION_ATOMIC, "atomic section", SHOWS_CELLS, ROLE_SECTION | ROLE_SELECTS | ROLE_REPEATS, MAKES_UNKNOWN, "waits in an atomic section to") \
    X(OPERATION_LOCK, "lock", SHOWS_OBJECT, ROLE_TAKES | ROLE_OPAQUE | ROLE_REPEATS | ROLE_REPEATS_TIMED, MAKES_HELD, "waits for") \
    X(OPERATION_UNLOCK, "unlock", SHOWS_OBJECT, ROLE_RELEASES | ROLE_REPEATS | ROLE_REPEATS_TIMED, MAKES_LESS, NULL) \
    X(OPERATION_WRONG_UNLOCK, "wrong unlock", SHOWS_OBJECT, ROLE_REPEATS, MAKES_UNKNOWN, NULL) /* by a thread that does not hold it */ \
    X(OPERATION_TRYLOCK, "trylock", SHOWS_OBJECT | SHOWS_RESULT | SHOWS_SUCCESS, ROLE_TAKES | ROLE_REPEATS | ROLE_TRIES | ROLE_REPEATS_TIMED, MAKES_HELD, NULL) \
    X(OPERATION_INIT, "initialise", SHOWS_OBJECT, 0, MAKES_NEW, NULL) \
    X(OPERATION_DESTROY, "destroy", SHOWS_OBJECT, 0, MAKES_GONE, NULL) \
    X(OPERATION_WAIT, "wait", SHOWS_OBJECT, ROLE_WAITS | ROLE_REPEATS_TIMED, MAKES_WAITER, NULL) \
    X(OPERATION_WAIT_UNLOCK, "wait: unlock", SHOWS_OBJECT, ROLE_RELEASES | ROLE_REPEATS_TIMED, MAKES_FREE, NULL) \
    X(OPERATION_TIMEOUT, "wait: time-out", SHOWS_OBJECT, ROLE_TIMES_OUT | ROLE_REPEATS_TIMED, MAKES_UNKNOWN, NULL) \
    X(OPERATION_GIVE_UP, "wait: give up", SHOWS_OBJECT, ROLE_TIMES_OUT | ROLE_REPEATS_TIMED, MAKES_ABSENT, NULL) /* if nobody has woken it */ \
    X(OPERATION_RELOCK, "wait: lock again", SHOWS_OBJECT, ROLE_TAKES | ROLE_RESUMES | ROLE_REPEATS_TIMED, MAKES_HELD, "waits for") \
    X(OPERATION_SIGNAL, "signal", SHOWS_OBJECT, ROLE_WAKES_ONE, MAKES_UNKNOWN, NULL) \
    X(OPERATION_BROADCAST, "broadcast", SHOWS_OBJECT, ROLE_WAKES_ALL, MAKES_FREE, NULL) \
    X(OPERATION_CHOOSE, "choose", SHOWS_RESULT, ROLE_CHOOSES | ROLE_REPEATS | ROLE_REPEATS_TIMED, MAKES_UNKNOWN, NULL) \
    X(OPERATION_SPAWN, "spawn", SHOWS_THREAD, 0, MAKES_UNKNOWN, NULL) \
    X(OPERATION_JOIN, "join", SHOWS_THREAD, 0, MAKES_UNKNOWN, "waits for the end of") \
    X(OPERATION_SUBTRACT, "fetch-sub", SHOWS_OBJECT | SHOWS_RESULT, ROLE_READS | ROLE_WRITES | ROLE_REPEATS, MAKES_UNKNOWN, NULL) \
    X(OPERATION_AND, "fetch-and", SHOWS_OBJECT | SHOWS_RESULT, ROLE_READS | ROLE_WRITES | ROLE_REPEATS, MAKES_UNKNOWN, NULL) \
    X(OPERATION_OR, "fetch-or", SHOWS_OBJECT | SHOWS_RESULT, ROLE_READS | ROLE_WRITES | ROLE_REPEATS, MAKES_UNKNOWN, NULL) \
    X(OPERATION_XOR, "fetch-xor", SHOWS_OBJECT | SHOWS_RESULT, ROLE_READS | ROLE_WRITES | ROLE_REPEATS, MAKES_UNKNOWN, NULL) \
    X(OPERATION_MODIFY, "fetch-and-modify", SHOWS_OBJECT | SHOWS_RESULT, ROLE_READS | ROLE_WRITES | ROLE_REPEATS, MAKES_UNKNOWN, NULL) \
    X(OPERATION_LOOK, "look at", SHOWS_OBJECT, ROLE_READS | ROLE_REPEATS, MAKES_UNKNOWN, NULL) /* what libc keeps for the process */ \
    X(OPERATION_CHANGE, "change", SHOWS_OBJECT, ROLE_READS | ROLE_WRITES | ROLE_REPEATS, MAKES_UNKNOWN, NULL) /* the same, and annotations */ \
    X(OPERATION_SEND, "send", SHOWS_OBJECT | SHOWS_VALUE, 0, MAKES_UNKNOWN, NULL) \
    X(OPERATION_RECEIVE, "receive", SHOWS_OBJECT | SHOWS_RESULT, ROLE_SELECTS, MAKES_UNKNOWN, "waits in receive of") \
    X(OPERATION_FREE, "free", SHOWS_OBJECT | SHOWS_WHOLE, 0, MAKES_UNKNOWN, NULL) \
    X(OPERATION_SCOPE_END, "end of", SHOWS_OBJECT | SHOWS_WHOLE, 0, MAKES_UNKNOWN, NULL) \
    X(OPERATION_SEMAPHORE_WAIT, "semaphore wait", SHOWS_OBJECT, ROLE_OPAQUE | ROLE_REPEATS, MAKES_LESS, "waits for a post of") \
    X(OPERATION_SEMAPHORE_TRY, "semaphore trywait", SHOWS_OBJECT | SHOWS_RESULT | SHOWS_SUCCESS, ROLE_OPAQUE | ROLE_REPEATS | ROLE_TRIES | ROLE_REPEATS_TIMED, MAKES_LESS, NULL) \
    X(OPERATION_SEMAPHORE_LOOK, "semaphore value", SHOWS_OBJECT | SHOWS_RESULT, ROLE_OPAQUE | ROLE_REPEATS, MAKES_SAME, NULL) \
    X(OPERATION_POST, "post", SHOWS_OBJECT, ROLE_REPEATS, MAKES_MORE, NULL) \
    X(OPERATION_READ_LOCK, "read lock", SHOWS_OBJECT, ROLE_TAKES | ROLE_OPAQUE | ROLE_REPEATS, MAKES_READ, "waits to read-lock") \
    X(OPERATION_WRITE_LOCK, "write lock", SHOWS_OBJECT, ROLE_TAKES | ROLE_OPAQUE | ROLE_REPEATS, MAKES_WRITTEN, "waits to write-lock") \
    X(OPERATION_TRY_READ_LOCK, "try read lock", SHOWS_OBJECT | SHOWS_RESULT | SHOWS_SUCCESS, ROLE_TAKES | ROLE_OPAQUE | ROLE_REPEATS | ROLE_TRIES | ROLE_REPEATS_TIMED, MAKES_READ, NULL) \
    X(OPERATION_TRY_WRITE_LOCK, "try write lock", SHOWS_OBJECT | SHOWS_RESULT | SHOWS_SUCCESS, ROLE_TAKES | ROLE_OPAQUE | ROLE_REPEATS | ROLE_TRIES | ROLE_REPEATS_TIMED, MAKES_WRITTEN, NULL) \
    X(OPERATION_ARRIVE, "barrier: arrive", SHOWS_OBJECT, 0, MAKES_UNKNOWN, NULL) \
    X(OPERATION_LEAVE, "barrier: leave", SHOWS_OBJECT, 0, MAKES_UNKNOWN, "waits for more threads at") \
    X(OPERATION_ONCE, "once", SHOWS_OBJECT | SHOWS_RESULT | SHOWS_TURN, ROLE_COMPARES, MAKES_HELD, \
      "waits for the end of the initialisation of") \
    X(OPERATION_ONCE_END, "once: end", SHOWS_OBJECT, 0, MAKES_DONE, NULL) \
    X(OPERATION_ONCE_LEFT, "once: left", SHOWS_OBJECT, 0, MAKES_FREE, NULL) /* its thread ends, and the next one starts over */ \
    X(OPERATION_FUTEX_LOCK, "futex: begin", 0, ROLE_REPEATS_TIMED, MAKES_HELD, "waits for the kernel at") /* its lock */ \
    X(OPERATION_FUTEX_UNLOCK, "futex: end", 0, ROLE_REPEATS_TIMED, MAKES_FREE, NULL) \
    X(OPERATION_FUTEX_WAIT, "futex wait", SHOWS_OBJECT | SHOWS_RESULT, ROLE_WAITS | ROLE_REPEATS_TIMED, MAKES_WAITER, NULL) \
    X(OPERATION_FUTEX_RETURN, "futex wait: return", SHOWS_OBJECT, ROLE_RESUMES | ROLE_REPEATS_TIMED, MAKES_UNKNOWN, "waits for a wake of") \
    X(OPERATION_FUTEX_WAKE, "futex wake", SHOWS_OBJECT, ROLE_WAKES_ONE, MAKES_UNKNOWN, NULL) \
    X(OPERATION_FUTEX_WAKE_ALL, "futex wake all", SHOWS_OBJECT, ROLE_WAKES_ALL, MAKES_FREE, NULL) \
    X(OPERATION_READ_FROM, "read from", SHOWS_OBJECT | SHOWS_RESULT, ROLE_REPEATS | ROLE_REPEATS_TIMED, MAKES_UNKNOWN, "waits for bytes from") \
    X(OPERATION_TAKE_SIGNAL, "take one of", SHOWS_OBJECT | SHOWS_RESULT, 0, MAKES_UNKNOWN, "waits for one of") /* that are pending */ \
    X(OPERATION_WRITE_TO, "write to", SHOWS_OBJECT | SHOWS_RESULT, 0, MAKES_UNKNOWN, "waits for room in") \
    X(OPERATION_POLL, "poll", SHOWS_OBJECT | SHOWS_RESULT, ROLE_REPEATS | ROLE_TRIES | ROLE_REPEATS_TIMED, MAKES_UNKNOWN, "waits in poll for") \
    X(OPERATION_CANCEL, "cancel", SHOWS_THREAD, 0, MAKES_UNKNOWN, NULL) \
    X(OPERATION_TEST_CANCEL, "cancellation point", 0, ROLE_REPEATS | ROLE_REPEATS_TIMED, MAKES_UNKNOWN, NULL) \
    X(OPERATION_END, "end", 0, 0, MAKES_UNKNOWN, NULL) \
    X(OPERATION_PAUSE, "pause", 0, ROLE_YIELDS | ROLE_REPEATS | ROLE_REPEATS_TIMED, MAKES_UNKNOWN, NULL) \
    X(OPERATION_FENCE, "fence", 0, ROLE_FENCES | ROLE_REPEATS | ROLE_REPEATS_TIMED, MAKES_UNKNOWN, NULL) \
    X(OPERATION_SPIN, "spin", SHOWS_OBJECT, 0, MAKES_UNKNOWN, "spins in a loop that reads")
// clang-format on

#define OPERATION_ENUM(kind, ...) kind,
enum operation_kind { OPERATION_KINDS(OPERATION_ENUM) OPERATION_KIND_COUNT };
#undef OPERATION_ENUM

typedef struct operation_traits {
    const char *word;
    const char *blocked; /* NULL: it never blocks */
    uint8_t shows;       /* enum operation_show */
    uint32_t roles;      /* enum operation_role */
    uint8_t effect;      /* enum operation_effect */
} operation_traits;

extern const operation_traits operation_table[OPERATION_KIND_COUNT];

const char *operation_word(enum operation_kind kind);

/* One of the roles. */
static inline bool operation_has_role(enum operation_kind kind, unsigned roles) {
    return (operation_table[kind].roles & roles) != 0;
}

/* The state of an object after an operation of that thread in the state `old`; false: unknown. */
bool operation_makes(enum operation_kind kind, uint32_t thread, uint64_t old, uint64_t *state);

/* A single access to memory. */
static inline bool operation_is_access(enum operation_kind kind) {
    return operation_has_role(kind, ROLE_READS | ROLE_WRITES);
}

/* One that never writes. */
static inline bool operation_only_reads(enum operation_kind kind) {
    return operation_has_role(kind, ROLE_READS) && !operation_has_role(kind, ROLE_WRITES);
}

static inline bool operation_shows(enum operation_kind kind, unsigned what) {
    return (operation_table[kind].shows & what) != 0;
}

enum operation_flag {
    /* The thread can take this step now. */
    OPERATION_ENABLED = 1,
    /* An acquisition that waits while another thread holds the object (lock, lock again): it races
       with what found the object free, and an unlock is never reversed with the acquisition that it
       enables. */
    OPERATION_ACQUIRES = 2,
    /* Footprint, alternatives or enabledness depend on shared state (a compare-and-swap, an await,
     * a signal, an atomic section with branches): in another place of the execution the target has
     * to be asked again. */
    OPERATION_VARIES = 4,
    /* It may wake waiters (signal, broadcast): without it a timed waiter does something else. */
    OPERATION_WAKES = 8,
    /* It varies in that it is enabled only in some states, and which earlier events block it is not
     * known without trying (a semaphore, a read-write lock): it races with every event that it
     * conflicts with and before which it could have continued. */
    OPERATION_BLOCKS = 16,
    /* A plain access that is shown as a step and belongs to the one before it (target.h). */
    OPERATION_PASSING = 32,
    /* It is in a spin loop, and blocks where it would only repeat the loop: an await whose
     * condition is only known by trying. */
    OPERATION_SPINS = 64,
    /* If it is not enabled, it stays so until an event accesses its object: until then the target
     * need not be asked again. */
    OPERATION_STAYS = 128,
};

/* When an await may continue: what its object holds, compared as a signed number with
 * `expected`. */
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
    uint8_t order;     /* enum access_order; only the exploration of graphs asks */
    uint8_t failure;   /* the same, of a compare-and-swap that fails */
    uint8_t instead; /* of a time-out that comes because no other thread can continue: what it waits
                        in */
    /* Alternatives of a data or wake-up choice, by value: part of the identity of a step.
       choice_count 0: none, the step's choice is CHOICE_NONE. choices NULL: 0..choice_count-1. */
    uint32_t choice_count;
    const uint32_t *choices;
    const cause *causes; /* valid while the operation is pending; complete once enabled */
    uint32_t cause_count;
    /* This many causes, the last ones, supply what the operation takes. In another order other
     * events might supply it: they come before the operation, but do not constrain where it can be
     * moved (the post of a semaphore). */
    uint32_t supply_count;
} operation;

/* What a thread that is blocked in it waits in, for reports. */
static inline enum operation_kind operation_blocked_kind(const operation *o) {
    return o->flags & OPERATION_SPINS ? OPERATION_SPIN : (enum operation_kind)o->kind;
}

/* How many causes have to come before it wherever it is moved: the first ones. */
static inline uint32_t operation_fixed_causes(const operation *o) {
    return o->cause_count - o->supply_count;
}

static inline bool operation_enabled(const operation *o) {
    return (o->flags & OPERATION_ENABLED) != 0;
}

/* What a timed waiter could have done instead of being woken by an event with that footprint. */
static inline operation operation_timeout(footprint waking) {
    return (operation){.kind = OPERATION_TIMEOUT, .flags = OPERATION_VARIES, .footprint = waking};
}

/* Whether it can be taken has to be tried wherever it is moved. */
static inline bool operation_blocks(const operation *o) {
    return o->flags & OPERATION_BLOCKS || operation_has_role(o->kind, ROLE_AWAITS);
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

/* A copy of an operation that stays valid longer than the target's own. */
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
