/* Builtins of the x86 that get a pointer: loads and stores of halves of vectors, non-temporal ones,
 * gathers, additions that store their sum. gcc's instrumentation does not know that they access
 * memory. Their instructions are found in the assembly by their place in the source, and each one
 * that accesses memory is announced right before it. Announcing another one of that place only
 * costs a step. Those that are not understood (gathers, masks) remain in the list, to be marked. */
#ifndef HEDDLE_TARGETS_NATIVE_MACHINE_BUILTINS_H
#define HEDDLE_TARGETS_NATIVE_MACHINE_BUILTINS_H

#include <stdbool.h>

#include "targets/native/unseen.h"

/* Removes from the list what it has announced. */
bool machine_builtins_edit(const char *assembly, unseen_list *);

#endif
