/* Accesses to memory that clang does not announce: those of sizes that its instrumentation does not
 * know (long double, wide vectors, bit-fields of odd sizes), and the copies of structs that are
 * passed by value. They are found in the assembly: an instruction that accesses memory outside the
 * frame, and no callback right before it that stands for it. Each is announced by itself, as it is
 * made by itself; the x87 may hold operands then. Announcing what nobody else can see costs a call
 * and nothing else.
 *
 * Not found: accesses by the frame pointer, which are nearly all of the code at -O0. Some of them
 * are to locals that threads share, which is why clang has a warning. */
#ifndef HEDDLE_TARGETS_NATIVE_CLANG_ACCESSES_H
#define HEDDLE_TARGETS_NATIVE_CLANG_ACCESSES_H

#include <stdbool.h>

bool clang_accesses_edit(const char *assembly);

#endif
