/* Interruptions. A request is the number of the signal that made it: from the user, or SIGALRM when
 * the time limit of one exploration is reached.
 *
 * From the user: the first SIGINT or SIGTERM asks the exploration to stop after the current step,
 * so that what was covered can be reported; the second ends the process at once. */
#ifndef HEDDLE_CLI_INTERRUPT_H
#define HEDDLE_CLI_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

extern volatile sig_atomic_t interrupt_requested;

void interrupt_install(void);

/* Requests an interruption after that time; 0: never. Replaces an earlier request. */
void interrupt_after(uint64_t milliseconds);

/* True if the time limit was reached, which is then cleared, so that another exploration can
 * start. */
bool interrupt_was_timeout(void);

#endif
