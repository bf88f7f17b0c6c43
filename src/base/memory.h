/* Every allocation of heddle goes through memory_resize, with its old and its new size, so that a
 * leak test is an equality: memory_in_use() is 0 when everything has been released.
 *
 * What is in use, with what the program under test has got (memory_charge), stays below a limit:
 * LIMIT_MEMORY of base/limit.h. At the limit the exploration stops before its next step; an eighth
 * beyond, or when the system has no more, it is left at once. */
#ifndef HEDDLE_BASE_MEMORY_H
#define HEDDLE_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* As realloc; new memory beyond old_size is zeroed. new_size 0 releases and returns NULL. */
void *memory_resize(void *block, size_t old_size, size_t new_size);

/* Bytes handed out and not yet given back. */
size_t memory_in_use(void);

/* So much more memory is accessible to the program under test, heddle's bookkeeping for it
 * included; it is never given back. */
void memory_charge(size_t size);

/* `word` becomes 1 when much more is in use than now: a quarter of what the limit leaves, but at
 * most MEMORY_MUCH; and memory_is_much is true from then until the next call. For those who can put
 * something elsewhere. */
void memory_watch(uint32_t *word);
bool memory_is_much(void);

enum { MEMORY_MUCH = 1 << 28 };

/* Of this machine, or of the control group that this process is in. */
uint64_t memory_of_machine(void);

/* From now on, so many bytes for that many processes together; 0: three quarters of the machine's
 * memory. What is in use already is not counted: a process has it in common with the one that it
 * was forked from. */
void memory_limit(uint64_t bytes, uint32_t processes);

#endif
