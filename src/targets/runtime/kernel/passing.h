/* Plain accesses in passing (explore/target.h, docs/ALGORITHMS.md): what a plain access is at
 * present, which places were promoted because they race, and pauses.
 *
 * A place is promoted by a mark in the table of locations, which the callbacks look at anyway.
 * Marks change only between executions: a place that races is remembered until the execution has
 * ended or is given up. */
#ifndef HEDDLE_TARGETS_RUNTIME_KERNEL_PASSING_H
#define HEDDLE_TARGETS_RUNTIME_KERNEL_PASSING_H

#include "targets/runtime/kernel/location.h"
#include "targets/runtime/kernel/runtime.h"

/* How many plain accesses a thread makes without any other step before it lets the others go first.
 * Loops with few accesses are then at the same place each time. */
enum { PASSING_LIMIT = 10080 };

void passing_close(void);

/* Places are marked once each; for debug builds. */
void passing_check(void);

/* Of the target's class. */
void passing_treat(target *, enum target_accesses);
bool passing_promote_all(target *);

/* The access at this location races. */
void passing_promote(uint32_t location);

/* The execution is to be given up: the thread would only repeat a loop of plain reads in passing,
 * and to wait there it needs one of them, at this location, as a step. False: it is one, or cannot
 * become one. */
bool passing_promote_now(uint32_t location);
bool passing_is_promoted(uint32_t location);

/* Promoted place number i, as an offset in the program's code; false: there are no more. The second
 * promotes the place at an offset that another process has sent; false: there can be none. */
bool passing_promoted(uint32_t i, uintptr_t *offset);
bool passing_expect(uintptr_t offset);

/* A plain access at the place of this entry (location.h) belongs to the step before it. */
static inline bool passing_is(uint32_t entry) {
    return runtime.accesses != ACCESSES_ARE_STEPS && !(entry & LOCATION_PROMOTED);
}

/* Such an access begins. True: it is done in passing; false: it is shown as a step. */
bool passing_begin(runtime_thread *t, uint32_t location);

#endif
