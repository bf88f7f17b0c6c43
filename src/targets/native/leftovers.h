/* What calls leave in unused registers, in functions that heddle interrupts between two
 * instructions (announce.c): there every register is saved with the thread, and counts when local
 * states are compared (targets/runtime/kernel/spin.h). What heddle's own functions leave is not the
 * same twice, so it is cleared: after each call, and at the beginning of the function.
 *
 * Without optimisation registers hold nothing across statements, and parameters are stored first.
 * With it, what a call may change is as dead after it (no call is known to spare registers:
 * -fno-ipa-ra) but for its result, of which the declaration would be needed; and of what a function
 * begins with less is known. */
#ifndef HEDDLE_TARGETS_NATIVE_LEFTOVERS_H
#define HEDDLE_TARGETS_NATIVE_LEFTOVERS_H

#include <stdbool.h>

/* Edits the assembly of one source, after everything else. */
bool leftovers_edit(const char *assembly, bool optimized);

#endif
