/* Threads that cannot continue at the end of a maximal execution: the step that each waits to take
 * takes part in races, as if it came after everything. */
#ifndef HEDDLE_EXPLORE_BLOCKED_H
#define HEDDLE_EXPLORE_BLOCKED_H

#include "explore/exploration.h"

typedef struct blocked_thread {
    uint32_t thread;
    operation operation; /* a copy, with causes of its own */
} blocked_thread;

typedef struct blocked_list {
    VECTOR(blocked_thread) threads;
    VECTOR(cause) causes;
} blocked_list;

void blocked_free(blocked_list *);

/* The target must stand at the end of the execution. Steps that touch nothing are left out. */
void blocked_collect(blocked_list *, exploration *);

#endif
