/* Interruptions: the first SIGINT or SIGTERM asks the exploration to stop after the present step,
 * so that what was covered can be reported; the second ends the process at once. */
#ifndef HEDDLE_CLI_INTERRUPT_H
#define HEDDLE_CLI_INTERRUPT_H

#include <signal.h>

extern volatile sig_atomic_t interrupt_requested;

void interrupt_install(void);

#endif
