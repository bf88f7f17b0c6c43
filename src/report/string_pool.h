/* Strings one after the other, each stored once and terminated by a zero byte, identified by their
 * offset. */
#ifndef HEDDLE_REPORT_STRING_POOL_H
#define HEDDLE_REPORT_STRING_POOL_H

#include <stdint.h>

#include "base/hash_index.h"
#include "base/text.h"

/* The offset of the string in the pool; a new string is appended. Control characters are replaced,
 * as text_append_clean does. */
uint32_t string_pool_add(text *pool, hash_index *starts, const char *string);

#endif
