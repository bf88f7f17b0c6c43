/* Threads that cannot continue at the end of a maximal execution: the step that each of them waits
 * to take can race, as if it came after everything. */
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

/* The target must be at the end of the execution. Steps that access nothing are left out. */
void blocked_collect(blocked_list *, exploration *);

#endif
