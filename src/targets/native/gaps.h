/* Gaps between the variables of the program, so that an access beyond one does not reach the next.
 *
 * The compiler's assembly is edited: in front of every variable in the ordinary sections for data
 * (.data, .bss and the like) comes a gap, marked by its own symbol, by which it is found when the
 * program is loaded. Sections that the program names are left unchanged, because such programs rely
 * on what is adjacent. Objects that heddle did not compile have no gaps.
 *
 * Rejected: treating everything that no symbol covers as a gap, which would make every access to
 * data without a symbol an error. */
#ifndef HEDDLE_TARGETS_NATIVE_GAPS_H
#define HEDDLE_TARGETS_NATIVE_GAPS_H

#include <stdbool.h>
#include <stdint.h>

bool gaps_edit(const char *assembly);

/* Visits the gaps of a linked program: addresses in the file. */
bool gaps_find(const char *path, void (*visit)(void *context, uintptr_t low, uintptr_t size),
               void *context);

#endif
