/* Accesses in rounds of spin loops that are not executed, because the thread waits instead: races
 * with them would be missed. Once another thread writes what such a round reads plainly, or
 * accesses plainly what it accesses atomically, every thread executes one round before it waits
 * (spin_once). */
#ifndef HEDDLE_TARGETS_RUNTIME_KERNEL_SPIN_READS_H
#define HEDDLE_TARGETS_RUNTIME_KERNEL_SPIN_READS_H

#include "targets/runtime/kernel/spin_table.h"

void spin_reads_close(void);

/* The thread waits instead of executing a round with these reads. */
void spin_reads_learn(const runtime_thread *, const spin_outcome *);

/* The thread writes there atomically. */
void spin_reads_note_write(const runtime_thread *, uintptr_t address, size_t size);

/* It accesses that plainly. */
void spin_reads_note_plain(const runtime_thread *, uintptr_t address, size_t size, bool writes);

/* The object that a loop under a mutex polls: the last one that the thread would read plainly in
 * the round that it does not execute. 0: none. For reports. */
uint32_t spin_polled(const runtime_thread *);

#endif
