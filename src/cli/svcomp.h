/* Programs of SV-COMP, checked for one property at a time: which errors count. All others are
 * ignored, with a warning, as the rules of SV-COMP require. */
#ifndef HEDDLE_CLI_SVCOMP_H
#define HEDDLE_CLI_SVCOMP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/settings.h"
#include "explore/target.h"

/* The kinds of errors that do not count, as a set: 1 << kind. */
uint32_t svcomp_ignored(const settings *);

/* After an error of this kind a real program may continue; heddle has stopped that execution. */
bool svcomp_goes_on(enum error_kind);

#endif
