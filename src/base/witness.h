/* What is known about a process after its death.
 *
 * A process that loads the program under test may end at any moment, in any way. Its supervisor
 * maps this memory too: which phase it was in, what it had counted, and what the runtime knew about
 * its threads (variables with WITNESS). The process writes there as to any other memory, so this
 * costs nothing. What is read there is a hint and never a result: the process may have written
 * anything.
 *
 * A process that does not share has private copies of the same variables. */
#ifndef HEDDLE_BASE_WITNESS_H
#define HEDDLE_BASE_WITNESS_H

#include <stddef.h>
#include <stdint.h>

#include "base/counters.h"

enum { WITNESS_PAGE = 4096 };

/* Declares a variable; its size must be a multiple of the page size, so that nothing else is
 * shared. The file that defines the variable announces it once. */
#define WITNESS __attribute__((aligned(WITNESS_PAGE)))
#define WITNESS_ANNOUNCE(variable)                                               \
    __attribute__((constructor)) static void witness_announce_##variable(void) { \
        witness_announce(&variable, sizeof variable);                            \
    }

void witness_announce(void *variable, size_t size);

/*    phase             what the process does, for messages */
#define PHASES(X)                                            \
    X(PHASE_STARTING, "at its start")                        \
    X(PHASE_BUILDING, "while the program was built")         \
    X(PHASE_LOADING, "while the program was loaded")         \
    X(PHASE_CONSTRUCTING, "in a constructor of the program") \
    X(PHASE_EXPLORING, "while the program was explored")     \
    X(PHASE_WAITING, "while it waited for work")             \
    X(PHASE_REPORTING, "while the findings were made")       \
    X(PHASE_DONE, "at its end")

#define PHASE_ENUM(phase, words) phase,
enum phase { PHASES(PHASE_ENUM) PHASE_COUNT };
#undef PHASE_ENUM

const char *phase_words(enum phase);

typedef struct status_page {
    uint32_t phase;
    uint32_t wanted; /* by the supervisor: the process has a message */
    uint32_t alone;  /* the program has read from a pipe: no other process can run it */
    uint32_t shares; /* there will be no more looks ahead (explore/scout.h): others may take work */
    uint64_t beat_elsewhere; /* of a process on another machine that this one represents */
    counters counters;
} __attribute__((aligned(WITNESS_PAGE))) status_page;

extern status_page own_status;

static inline void status_enter(enum phase phase) {
    __atomic_store_n(&own_status.phase, (uint32_t)phase, __ATOMIC_RELAXED);
}

/* New shared memory with room for all such variables, or NULL. */
void *witness_create(void);
void witness_destroy(void *);

/* Maps the variables of this process to that memory, with its contents. Processes that it forks do
 * not inherit them. */
void witness_share(void *);

/* Makes all of it zero, as at the start of a process. */
void witness_clear(void *);

/* The variable, and the status, of a process that shares. */
const void *witness_find(const void *, const void *variable);
const status_page *witness_status(const void *);

/* Makes a table of this process zero, by pages. */
void witness_zero(void *table, size_t size);

#endif
