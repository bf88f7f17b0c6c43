/* Spin loops in the oracle's machine, by their definition: a step is disabled if it changes nothing
 * that others see and brings its thread back to a local state that it had since its latest step
 * that did change something. */
#ifndef HEDDLE_ORACLE_MACHINE_SPIN_H
#define HEDDLE_ORACLE_MACHINE_SPIN_H

#include "oracle/machine.h"

/* The program has loops; nothing else here is called for programs without. */
bool machine_has_loops(const program *);

/* A thread that stands there may still look at the register, or it has a name. */
bool machine_register_matters(const program *, uint32_t thread, uint32_t counter, uint32_t reg);

/* Another thread could see that the mutex is held. */
bool machine_mutex_is_seen(const program *, uint32_t mutex);

/* The thread has started, or has taken a step from that state. */
void machine_note_arrival(machine *, uint32_t thread);
void machine_note_step(machine *, const machine *before, uint32_t thread);

/* The next step of the thread, which is possible otherwise, would close a void round. */
bool machine_closes_round(const machine *, uint32_t thread);

/* Adds the variables that such a step reads. */
void machine_add_awaited(const machine *, uint32_t thread, cell_set *);

/* Every thread that is disabled by that would repeat its loop forever if it ran alone. `all_spin`:
 * all threads that are left are disabled by that. */
bool machine_rounds_are_real(const machine *, bool *all_spin);

#endif
