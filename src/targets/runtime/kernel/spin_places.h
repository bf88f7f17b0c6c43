/* Places in spin loops, and how they are found: see spin.h. */
#ifndef HEDDLE_TARGETS_RUNTIME_KERNEL_SPIN_PLACES_H
#define HEDDLE_TARGETS_RUNTIME_KERNEL_SPIN_PLACES_H

#include <stdbool.h>
#include <stdint.h>

#include "targets/runtime/kernel/runtime.h"

/* In a loop; there, a thread waits in some executions; with versions, by a lock, for the memory
 * that it guards; by a try that would succeed; by what
 * takes a lock, and the tries that follow are part of the same step (spin_section.h). */
enum {
    SPIN_MARK_LOOP = 1,
    SPIN_MARK_WAITS = 2,
    SPIN_MARK_POLLS = 4,
    SPIN_MARK_TRIES = 8,
    SPIN_MARK_SECTION = 16,
    SPIN_MARK_ALL = 31,
};

uint8_t spin_mark_of(uint32_t location);
/* True: it is new. */
bool spin_add_mark(uint32_t location, uint8_t mark);

/* Loops are to be watched from the next start of the program on. */
bool spin_is_wanted(void);

/* From the next start of the program on: all its steps must have been seen. */
void spin_want(void);

/* While watching: the thread is before an operation, of a loop or not; what it did before no longer
 * counts. */
void spin_places_pass(runtime_thread *t);
void spin_places_forget(runtime_thread *t);

void spin_places_close(void);

#endif
