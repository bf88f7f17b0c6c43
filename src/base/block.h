/* Copying and clearing blocks of some hundred bytes by the C library's functions. Where the
 * compiler knows the size, or a bound of it, it uses `rep movs` or `rep stos` instead, which take
 * longer to start than the library takes for the whole block. */
#ifndef HEDDLE_BASE_BLOCK_H
#define HEDDLE_BASE_BLOCK_H

#include <stddef.h>
#include <string.h>

static inline void block_copy(void *to, const void *from, size_t size) {
    __asm__("" : "+r"(size)); /* the compiler no longer knows the value */
    memcpy(to, from, size);
}

static inline void block_clear(void *block, size_t size) {
    __asm__("" : "+r"(size));
    memset(block, 0, size);
}

#endif
