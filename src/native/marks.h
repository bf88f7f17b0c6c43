/* Marks what heddle does not cover in the assembly of one source: inserts, before it, the
 * instruction that says that it was reached (sites.h), and appends the records.
 *
 * - Inline assembly that is not understood (instructions.h), statement by statement; functions that
 *   are written in assembly outside of functions, at their labels.
 * - What the compiler does not announce (unseen.h), at the call or at the line. */
#ifndef HEDDLE_NATIVE_MARKS_H
#define HEDDLE_NATIVE_MARKS_H

#include <stdbool.h>

#include "native/unseen.h"

/* Edits the file. `source` is the place of what has none. `atomic`: false adds a site of that kind
 * that counts as reached. */
bool marks_edit(const char *assembly, const char *source, unseen_list *, bool atomic);

#endif
