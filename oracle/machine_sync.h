/* Semaphores, read-write locks, barriers and onces of the oracle's machine.
 *
 * A cell of the first two has a second part, MACHINE_CELLS - 1 - cell: what is independent accesses
 * different parts, or both read. */
#ifndef HEDDLE_ORACLE_MACHINE_SYNC_H
#define HEDDLE_ORACLE_MACHINE_SYNC_H

#include "oracle/machine.h"

static inline bool machine_is_sync(enum instruction_kind kind) {
    return kind >= INSTRUCTION_SEMAPHORE_WAIT && kind <= INSTRUCTION_ONCE_END;
}

static inline uint32_t machine_second_part(uint32_t cell) {
    return MACHINE_CELLS - 1 - cell;
}

/* False if there are too many cells for their second parts. */
bool machine_init_sync(machine *);

bool machine_sync_enabled(const machine *, uint32_t thread, enum instruction_kind, uint32_t cell);

/* The thread has arrived at a barrier, and its group is complete. */
bool machine_may_leave(const machine *, uint32_t thread);

void machine_run_sync(machine *, machine_event *, const instruction *, uint32_t cell);
void machine_leave(machine *, machine_event *);

#endif
