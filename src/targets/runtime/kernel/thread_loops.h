/* What is kept of a thread while loops are watched (spin.h, sync/rounds.h). */
#ifndef HEDDLE_TARGETS_RUNTIME_KERNEL_THREAD_LOOPS_H
#define HEDDLE_TARGETS_RUNTIME_KERNEL_THREAD_LOOPS_H

#include <stdint.h>

enum { ROUNDS_KEPT = 4, SPIN_TAKEN = 16 };

/* A wait that may time out early, as it was begun (sync/rounds.h). */
typedef struct round_wait {
    uint64_t
        held; /* a sum over the locks that were acquired since, less those that were released */
    uint64_t effects; /* of all threads, + 1, when it timed out because nothing else could happen */
    uint32_t state;   /* its number; see kernel/spin_table.h */
    uint32_t events;  /* of the thread, when it timed out */
} round_wait;

/* A local state (kernel/spin_table.h): a hash of it; its number in programs that look at clocks. */
typedef struct spin_place {
    uint64_t shape;
    uint32_t state;
} spin_place;

/* A lock that the thread holds: what it had done when it took it (spin_observers.h). */
typedef struct spin_hold {
    uint32_t object, location, effects, looks;
    uint32_t events; /* all its steps */
    spin_place place;
} spin_hold;

#endif
