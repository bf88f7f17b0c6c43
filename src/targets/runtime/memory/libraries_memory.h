/* Memory that is neither the program's nor heddle's: what the libraries that are loaded have, the
 * variables of libc that a program may set, the strings of the environment. A program may write
 * there; elsewhere outside its own memory it would damage heddle. */
#ifndef HEDDLE_TARGETS_RUNTIME_MEMORY_LIBRARIES_MEMORY_H
#define HEDDLE_TARGETS_RUNTIME_MEMORY_LIBRARIES_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* When the program is loaded. */
void libraries_memory_open(void);

bool libraries_memory_writable(uintptr_t address, size_t size);

#endif
