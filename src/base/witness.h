/* What is still known of a process after its death.
 *
 * A process that loads the program under test may end at any moment, in any way. Its supervisor
 * maps this memory too: which phase it was in, what it had counted, and what the runtime knew of
 * its threads (variables with WITNESS). The process writes there as it would anywhere else, so
 * knowing costs nothing. What is read there is a hint and never a result: the process may have
 * written anything.
 *
 * A process that was never asked to share has the same variables for itself. */
#ifndef HEDDLE_BASE_WITNESS_H
#define HEDDLE_BASE_WITNESS_H

#include <stddef.h>
#include <stdint.h>

#include "base/counters.h"

enum { WITNESS_PAGE = 4096 };

/* Of a variable; its size must be a multiple of the page, so that nothing else is shared. It is
 * announced once, in the file that has it. */
#define WITNESS __attribute__((aligned(WITNESS_PAGE)))
#define WITNESS_ANNOUNCE(variable)                                               \
    __attribute__((constructor)) static void witness_announce_##variable(void) { \
        witness_announce(&variable, sizeof variable);                            \
    }

void witness_announce(void *variable, size_t size);

/*    phase             what the process does, for messages */
#define PHASES(X)                                              \
    X(PHASE_STARTING, "at its start")                          \
    X(PHASE_BUILDING, "while the program was built")           \
    X(PHASE_LOADING, "while the program was loaded")           \
    X(PHASE_CONSTRUCTING, "in a constructor of the program")   \
    X(PHASE_EXPLORING, "while the program was explored")       \
    X(PHASE_WAITING, "while it waited for work")               \
    X(PHASE_REPORTING, "while the findings were put together") \
    X(PHASE_DONE, "at its end")

#define PHASE_ENUM(phase, words) phase,
enum phase { PHASES(PHASE_ENUM) PHASE_COUNT };
#undef PHASE_ENUM

const char *phase_words(enum phase);

typedef struct status_page {
    uint32_t phase;
    uint32_t wanted; /* by the supervisor: the process has a message */
    uint32_t alone;  /* the program has read from a pipe: no other process can run it */
    uint32_t shares; /* there are no more looks ahead (explore/scout.h): others may take work */
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

/* From now on this process has these variables there, with what they hold there. Processes that it
 * forks do not get them. */
void witness_share(void *);

/* All of it is zero again, as at the start of a process. */
void witness_clear(void *);

/* Of a process that shares: its variable, and its status. */
const void *witness_find(const void *, const void *variable);
const status_page *witness_status(const void *);

/* Makes a table of this process zero, by pages. */
void witness_zero(void *table, size_t size);

#endif
