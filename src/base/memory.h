/* Every allocation of heddle goes through memory_resize, with its old and its new size, so that a
 * leak test is an equality: memory_in_use() is 0 when everything has been released. Running out of
 * memory is not survivable for an exploration; it ends the process with a message. */
#ifndef HEDDLE_BASE_MEMORY_H
#define HEDDLE_BASE_MEMORY_H

#include <stddef.h>

/* As realloc; new memory beyond old_size is zeroed. new_size 0 releases and returns NULL. */
void *memory_resize(void *block, size_t old_size, size_t new_size);

/* Bytes handed out and not yet given back. */
size_t memory_in_use(void);

#endif
