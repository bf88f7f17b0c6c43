/* What holds of the runtime between two steps, for debug builds: every module checks it of its own
 * part, and this asks all of them. */
#ifndef HEDDLE_TARGETS_RUNTIME_KERNEL_INVARIANTS_H
#define HEDDLE_TARGETS_RUNTIME_KERNEL_INVARIANTS_H

/* After every step: the threads. From time to time: all there is, which takes longer. */
void invariants_check(void);

#endif
