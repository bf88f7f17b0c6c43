/* Edits the assembly of one source. What heddle does not cover is marked: before it comes an
 * instruction that records that it was reached (sites.h), and the records are appended.
 *
 * - Inline assembly that is not understood (instructions.h), statement by statement; functions that
 *   are written in assembly outside of functions, at their labels.
 * - Undetermined values of which little is seen are made by other calls (undetermined.h).
 * - What the compiler does not announce (unseen.h), at the call or at the line. */
#ifndef HEDDLE_TARGETS_NATIVE_MARKS_H
#define HEDDLE_TARGETS_NATIVE_MARKS_H

#include <stdbool.h>

#include "targets/native/undetermined.h"
#include "targets/native/unseen.h"

/* Edits the file. `source` is used as the place of what has none. `atomic`: false adds a site of
 * that kind that counts as reached. */
bool marks_edit(const char *assembly, const char *source, unseen_list *, const undetermined_list *,
                bool atomic);

#endif
