/* Conventions of SV-COMP: a function that is called __VERIFIER_atomic_… runs as one step, as if
 * its body stood between __VERIFIER_atomic_begin and __VERIFIER_atomic_end; and to call reach_error
 * is the error, whatever the program's definition of it does.
 *
 * The compiler's output is edited: such a function calls the runtime first thing, when arguments
 * are still in their registers, and right before it returns
 * (targets/runtime/kernel/atomic_function.c). Whoever calls it, also by a pointer or from another
 * file, sees nothing of it.
 *
 * Rejected: a function around it under its name, which cannot hand on arguments on the stack;
 * -finstrument-functions, which passes over the return value only in some compilers. */
#ifndef HEDDLE_TARGETS_NATIVE_ATOMIC_FUNCTIONS_H
#define HEDDLE_TARGETS_NATIVE_ATOMIC_FUNCTIONS_H

#include <stdbool.h>

/* Edits assembly in place; `complete` becomes false if it has a function that does not run as one
 * step all the same. False if it cannot be written. */
bool atomic_functions_edit(const char *assembly, bool *complete);

#endif
