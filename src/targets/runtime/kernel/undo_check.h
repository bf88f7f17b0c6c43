/* For debug builds, and where HEDDLE_CHECK_UNDO is set: whenever the log was used to go back, the
 * program is also started over, takes the same steps again, and everything that belongs to the
 * execution is compared byte by byte. Then the exploration continues from there.
 *
 * Stacks are not: what the runtime leaves in its frames depends on how a step was taken, and so
 * does what the program's frames hold where nothing was assigned yet. They must be, byte by byte,
 * what they were when the unit began, and are kept over the comparison. */
#ifndef HEDDLE_TARGETS_RUNTIME_KERNEL_UNDO_CHECK_H
#define HEDDLE_TARGETS_RUNTIME_KERNEL_UNDO_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "explore/target.h"

extern bool undo_checks;

/* With HEDDLE_CHECK_UNDO=canary no write to memory is undone: the comparison must fail. */
extern bool undo_canary;

void undo_check_open(void);
void undo_check_close(void);

/* The steps since the reset. */
void undo_check_reset(void);
void undo_check_note(step taken);

/* A unit begins: its place in the list of units. */
void undo_check_begin(uint32_t unit);

/* The log was used to go back to the start of that unit, which are the first `length` steps.
 * `again` starts over without a log, and takes these steps. */
void undo_check(uint32_t unit, uint32_t length, void (*again)(const step *steps, uint32_t count));

#endif
