/* Strings one after the other, each kept once and ended by a zero byte, known by where they begin.
 */
#ifndef HEDDLE_REPORT_STRING_POOL_H
#define HEDDLE_REPORT_STRING_POOL_H

#include <stdint.h>

#include "base/hash_index.h"
#include "base/text.h"

/* Where the string begins in the pool, to which it is appended if it is new. Control characters are
 * replaced, as text_append_clean does. */
uint32_t string_pool_add(text *pool, hash_index *starts, const char *string);

#endif
