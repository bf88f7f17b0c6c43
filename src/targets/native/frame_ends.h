/* The end of a function is the end of its locals. If other threads have accessed some of them, it
 * conflicts with these accesses like a free: otherwise an order in which the function returns first
 * might never be tried. Compilers do not announce it, so a call is inserted before the frame is
 * left, in functions that take the address of a local; it is skipped as long as no thread has
 * touched the stack of another one.
 *
 * Not in main, whose locals are kept when it returns, and not where a result is on the stack of the
 * x87, which is not saved. Frames that are left by longjmp are announced there.
 *
 * Rejected: gcc's own callbacks for the end of functions, which all functions would call. */
#ifndef HEDDLE_TARGETS_NATIVE_FRAME_ENDS_H
#define HEDDLE_TARGETS_NATIVE_FRAME_ENDS_H

#include <stdbool.h>

/* Edits the assembly of one source, after all other edits. */
bool frame_ends_edit(const char *assembly);

#endif
