/* Conventions of SV-COMP: a function that is called __VERIFIER_atomic_… runs as one step, as if its
 * body stood between __VERIFIER_atomic_begin and __VERIFIER_atomic_end; and a call of reach_error
 * is the error, whatever the program's definition of it does.
 *
 * The compiler's output is edited: such a function calls the runtime at its beginning, when
 * arguments are still in their registers, and right before it returns
 * (targets/runtime/kernel/atomic_function.c). Callers, also by a pointer or from another file, are
 * not affected.
 *
 * Rejected: a wrapper under its name, which cannot pass on arguments on the stack;
 * -finstrument-functions, which passes over the return value only in some compilers. */
#ifndef HEDDLE_TARGETS_NATIVE_ATOMIC_FUNCTIONS_H
#define HEDDLE_TARGETS_NATIVE_ATOMIC_FUNCTIONS_H

#include <stdbool.h>

/* Edits assembly in place; `complete` becomes false if it has a function that nevertheless does not
 * run as one step. False if it cannot be written. */
bool atomic_functions_edit(const char *assembly, bool *complete);

#endif
