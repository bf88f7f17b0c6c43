/* Accesses that the compiler does not announce. They cannot be explored, so they must at least be
 * named.
 *
 * - Inline assembly, and assembly outside functions: found in the compiler's output, between #APP
 *   and #NO_APP or outside functions. What only computes in registers, a fence or a pause is no
 * access.
 * - gcc's instrumentation leaves out structs that are passed to or returned from functions by
 *   value (`shared = get();` and `use(shared);` touch `shared` without a callback), and expands
 *   some string builtins of constant size in place. Both are found in its own dump of the
 *   instrumented program, where a call has operands in memory only if they are structs. */
#ifndef HEDDLE_NATIVE_UNSEEN_H
#define HEDDLE_NATIVE_UNSEEN_H

/* Called with what ("inline assembly") and where ("file.c:12"). If `variable` is not "", it counts
 * only if that is the name of a variable, not of a function. */
typedef void unseen_found(void *context, const char *variable, const char *what, const char *place);

/* Assembly of `source`. */
void unseen_in_assembly(const char *assembly, const char *source, unseen_found *, void *context);

/* A dump of gcc (-fdump-tree-tsan0-lineno); none is nothing found. */
void unseen_in_dump(const char *dump, unseen_found *, void *context);

#endif
