/* The memory mappings of this process (/proc/self/maps). */
#ifndef HEDDLE_BASE_MAPS_H
#define HEDDLE_BASE_MAPS_H

#include <stdbool.h>
#include <stdint.h>

/* Calls `visit` with every mapping, from low addresses to high ones, until it returns false.
 * `stack`: it is that of the process. */
void maps_visit(bool (*visit)(void *context, uintptr_t low, uintptr_t high, bool stack),
                void *context);

#endif
