/* The invariants of the runtime between two steps, for debug builds: every module checks its own
 * part, and this calls all of them. */
#ifndef HEDDLE_TARGETS_RUNTIME_KERNEL_INVARIANTS_H
#define HEDDLE_TARGETS_RUNTIME_KERNEL_INVARIANTS_H

/* After every step: the threads. From time to time: everything, which takes longer. */
void invariants_check(void);

#endif
