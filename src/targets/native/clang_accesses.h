/* Accesses to memory that clang does not announce: those of sizes that its instrumentation does not
 * know (long double, wide vectors, bit-fields of odd sizes), and the copies of structs that are
 * passed by value. They are found in the assembly: an instruction that accesses memory outside the
 * frame, without a callback for it right before. Each access gets its own announcement; the x87 may
 * hold operands then. Announcing memory that no other thread can see costs a call and nothing else.
 *
 * Not found: accesses through the frame pointer, which are most of the code at -O0. Some of them
 * access locals that threads share, which is why heddle warns about clang. */
#ifndef HEDDLE_TARGETS_NATIVE_CLANG_ACCESSES_H
#define HEDDLE_TARGETS_NATIVE_CLANG_ACCESSES_H

#include <stdbool.h>

#include "targets/native/unseen.h"

/* Instructions that gather, or access what a mask selects: they are to be marked. */
void clang_accesses_find_masked(const char *assembly, unseen_list *);

bool clang_accesses_edit(const char *assembly);

#endif
