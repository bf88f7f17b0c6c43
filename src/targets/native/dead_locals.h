/* Locals and registers that are not read again before they are written. Without optimisation, gcc
 * leaves what was read last in temporaries, and a thread that has executed a loop once looks
 * different from one that has not, though both continue in the same way: it repeats the loop once
 * more than necessary, which multiplies executions (targets/runtime/kernel/spin.h). So they are
 * cleared before each call at which a thread may park, as soon as loops are watched.
 *
 * Which are dead is found by the usual analysis of liveness over the instructions of one function.
 * It knows an instruction that writes the whole of a local, or of a register that calls preserve,
 * and takes every other one that names it for a read. A local is known by the places at which the
 * function names it as N(%rbp); one whose address is passed on, and an array of which an element is
 * named by an index, is never cleared. Where the frame could be named in another way, by inline
 * assembly, by what returns twice or unwinds, nothing in the function is cleared; nor in one that
 * was optimised after all, by an attribute.
 * docs/ALGORITHMS.md explains why nothing is lost.
 *
 * Rejected: comparing what two threads do that differ in such a value. That would have to be done
 * for every value that they may ever read, and again for all states that follow. */
#ifndef HEDDLE_TARGETS_NATIVE_DEAD_LOCALS_H
#define HEDDLE_TARGETS_NATIVE_DEAD_LOCALS_H

#include <stdbool.h>

/* Edits the assembly of one source that was compiled without optimisation. The compiler's dump of
 * it shows which functions are entered from elsewhere. */
bool dead_locals_edit(const char *assembly, const char *dump);

#endif
