/* What a step that is tried (spin.h) reads. */
#ifndef HEDDLE_TARGETS_RUNTIME_KERNEL_SPIN_TRIED_H
#define HEDDLE_TARGETS_RUNTIME_KERNEL_SPIN_TRIED_H

#include "targets/runtime/kernel/spin_table.h"

void spin_tried_close(void);

/* A step that locks a mutex continues to its unlock: what comes after that is not guarded by it. */
void spin_tried_start(bool locks);
void spin_tried_unlocks(void);

/* The pending operation of the thread itself; memory, in passing (`made`: the step has written it).
 * A step that reads too much counts as one with an effect. */
void spin_tried_operation(const runtime_thread *);
void spin_tried_read(uintptr_t address, size_t size, bool made);

/* Adds the outcome, with what was read, to those of that state. */
void spin_tried_keep(uint32_t state, spin_outcome *);

/* An operation that depends on who holds a lock, or on the value of a semaphore. */
bool spin_looks_at_sync(uint8_t kind);

#endif
