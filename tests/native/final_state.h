/* Where executions of a program with loops end: its variables and, of every thread that has come to
 * its end, its locals. As numbers that are the same for an abstract program, for the oracle's
 * machine, and for the C that emit.h makes of it. */
#ifndef HEDDLE_TESTS_NATIVE_FINAL_STATE_H
#define HEDDLE_TESTS_NATIVE_FINAL_STATE_H

#include "explore/target.h"
#include "oracle/machine.h"

uint64_t final_state_abstract(const program *, target *);
uint64_t final_state_machine(const machine *);

/* The variables as C has them: the cells and then, by thread, the locals. */
uint64_t final_state_native(const program *, const int64_t *variables);

#endif
