/* What rounds of spin loops that are left out read plainly: races with them are not detected. Once
 * another thread writes such memory, every thread executes one round before it waits
 * (spin_once). */
#ifndef HEDDLE_TARGETS_RUNTIME_KERNEL_SPIN_READS_H
#define HEDDLE_TARGETS_RUNTIME_KERNEL_SPIN_READS_H

#include "targets/runtime/kernel/spin_table.h"

void spin_reads_close(void);

/* The thread waits in place of a round that reads this. */
void spin_reads_learn(const runtime_thread *, const spin_outcome *);

/* The thread writes there. */
void spin_reads_note_write(const runtime_thread *, uintptr_t address, size_t size);

/* The object of what the thread reads plainly in the round that it waits in place of, the last of
 * several: what a loop under a mutex polls. 0: nothing. For reports. */
uint32_t spin_polled(const runtime_thread *);

#endif
