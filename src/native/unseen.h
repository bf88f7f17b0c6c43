/* Accesses that the compiler does not announce.
 *
 * gcc's instrumentation leaves out structs that are passed to or returned from functions by value:
 * `shared = get();` and `use(shared);` touch `shared` without a callback. Such places cannot be
 * explored, so they must at least be named. They are found in the compiler's own dump of the
 * instrumented program, where a call has operands in memory only if they are structs. */
#ifndef HEDDLE_NATIVE_UNSEEN_H
#define HEDDLE_NATIVE_UNSEEN_H

#include "native/objects.h"

/* Reads a dump (-fdump-tree-tsan0-lineno) and calls `found` with each place ("file.c:12") where a
 * call takes from or puts into memory that others may know: pointed to, or one of `data`. */
void unseen_find(const char *dump, const object_symbols *data,
                 void (*found)(void *context, const char *place), void *context);

#endif
