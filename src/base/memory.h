/* Every allocation of heddle goes through memory_resize, with its old and its new size, so that a
 * leak test is an equality: memory_in_use() is 0 when everything has been released.
 *
 * The memory in use, including that of the program under test (memory_charge), stays below a limit:
 * LIMIT_MEMORY of base/limit.h. At the limit the exploration stops before its next step; an eighth
 * above it, or when the system has no more memory, it is abandoned immediately. */
#ifndef HEDDLE_BASE_MEMORY_H
#define HEDDLE_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* As realloc; new memory beyond old_size is zeroed. new_size 0 releases and returns NULL. */
void *memory_resize(void *block, size_t old_size, size_t new_size);

/* Bytes allocated and not yet released. */
size_t memory_in_use(void);

/* The program under test can access this much more memory, including heddle's bookkeeping for it;
 * it is never released. */
void memory_charge(size_t size);

/* `word` becomes 1 when much more is in use than now: a quarter of what the limit leaves, but at
 * most MEMORY_MUCH; and memory_is_much is true from then until the next call. For callers that can
 * move something out of memory. */
void memory_watch(uint32_t *word);
bool memory_is_much(void);

enum { MEMORY_MUCH = 1 << 28 };

/* The memory of this machine, or of the control group of this process. */
uint64_t memory_of_machine(void);

/* The memory that this process does not share. */
uint64_t memory_of_process(void);

/* Sets the limit for that many processes together; 0: three quarters of the machine's memory.
 * Blocks already in use are not counted: a process shares them with the one that it was forked
 * from. The share of a process includes its private memory and what the supervisor may keep for it
 * (MEMORY_PART_ELSEWHERE), unless the share is very small. */
void memory_limit(uint64_t bytes, uint32_t processes);

enum { MEMORY_PART_ELSEWHERE = 16, MEMORY_SMALL_SHARE = 1 << 23 };

#endif
