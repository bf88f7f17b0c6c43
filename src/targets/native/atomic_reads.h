/* Atomic objects that gcc reads plainly: the function that is called in `p()`, and both operands of
 * `a[i]`, if they are lvalues of an atomic type. C demands an atomic load there, as everywhere; gcc
 * 12 forgets it, announces a plain read, and the program would race with its own atomic stores. The
 * announcement becomes that of an atomic load; the instruction that reads follows it in the same
 * step.
 *
 * Which announcements these are is not in the compiler's output. The source is therefore compiled
 * again, with every _Atomic made volatile and nothing else: what is announced as volatile then
 * reads an atomic object. Only sources with atomic types pay for it.
 *
 * Rejected: looking up the type of the object at the address in the debug information, which knows
 * little about the heap; and the types in gcc's dump, which has none for variables. */
#ifndef HEDDLE_TARGETS_NATIVE_ATOMIC_READS_H
#define HEDDLE_TARGETS_NATIVE_ATOMIC_READS_H

#include <stdbool.h>

/* The flags for the second compilation. */
#define ATOMIC_READS_FLAGS "-Dvolatile=", "-D_Atomic=__volatile__ _Atomic"

/* The source of this assembly has atomic types. */
bool atomic_reads_possible(const char *assembly);

/* Edits the assembly by comparing it with what the second compilation gave. */
bool atomic_reads_edit(const char *assembly, const char *with_volatile);

#endif
