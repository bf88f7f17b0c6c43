/* Gaps between the variables of the program, so that leaving one is not reaching the next.
 *
 * The compiler's assembly is edited: in front of every variable in the ordinary sections for data
 * (.data, .bss and the like) comes a gap, marked by a symbol of its own, which is how it is found
 * when the program is loaded. Sections that the program has named itself are left alone, because
 * such programs rely on what lies side by side. Objects that heddle did not compile have no gaps.
 *
 * Rejected: taking what no symbol covers for a gap, which would make an error of every access to
 * data without a symbol. */
#ifndef HEDDLE_TARGETS_NATIVE_GAPS_H
#define HEDDLE_TARGETS_NATIVE_GAPS_H

#include <stdbool.h>
#include <stdint.h>

bool gaps_edit(const char *assembly);

/* Visits the gaps of a linked program: addresses in the file. */
bool gaps_find(const char *path, void (*visit)(void *context, uintptr_t low, uintptr_t size),
               void *context);

#endif
