/* A step that does not end: a loop that goes on and on without an event, or a call that waits in
 * the kernel. Nobody else can run meanwhile, so a timer looks after it.
 *
 * Computing is measured in processor time. Before a loop is called endless, that is proved: the
 * thread is run instruction by instruction, and must come back to the state that it was in (its
 * registers, its stack, its control block; without an event nothing else can have changed). A loop
 * for which that does not succeed is only given up as unfinished: it may end some day. Waiting is
 * measured in real time, less the time in which the process could not run because others did; the
 * processor shows where the thread stands.
 *
 * Rejected: a timer that ticks in real time all along, because it interrupts what a library waits
 * for; calling every long loop endless, which is wrong for a program that only computes. */
#ifndef HEDDLE_TARGETS_RUNTIME_KERNEL_WATCHDOG_H
#define HEDDLE_TARGETS_RUNTIME_KERNEL_WATCHDOG_H

#include <stdbool.h>

void watchdog_open(void);
void watchdog_close(void);

/* From a signal handler: somebody wants an end. A step that takes longer than a moment is given
 * up from now on. */
void watchdog_request_stop(void);

bool watchdog_stop_requested(void);

/* From the handler of SIGTRAP: true if the watchdog has made this trap. */
bool watchdog_trapped(void *context);

/* From the handlers of all other faults: the step is over. */
void watchdog_faulted(void);

#endif
