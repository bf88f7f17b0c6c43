/* The target that runs abstract programs: one step is one visible instruction (or one atomic
 * section) and the local instructions after it.
 *
 * The whole state is one block of memory, so that saving, restoring and resetting are copies. */
#ifndef HEDDLE_TARGETS_ABSTRACT_INTERPRETER_H
#define HEDDLE_TARGETS_ABSTRACT_INTERPRETER_H

#include "explore/target.h"
#include "targets/abstract/program.h"

/* The program is borrowed: it must outlive the target. */
target *interpreter_create(const program *);

#endif
