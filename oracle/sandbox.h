/* Runs a function in a process of its own, so that a strategy that crashes or never ends is a
 * finding and not the end of the tester. */
#ifndef HEDDLE_ORACLE_SANDBOX_H
#define HEDDLE_ORACLE_SANDBOX_H

#include <stddef.h>
#include <stdint.h>

enum sandbox_end { SANDBOX_RETURNED, SANDBOX_DIED, SANDBOX_TIMED_OUT };

/* A block that parent and children see alike. */
void *sandbox_share(size_t size);
void sandbox_unshare(void *block, size_t size);

/* Lets the calling process die if it uses that many more seconds of its processors' time. */
void sandbox_limit(uint32_t seconds);

/* How a child process ended, from the status that waitpid gave. */
enum sandbox_end sandbox_judge(int status);

/* Runs it; `argument` should be shared if the function is to give something back. */
enum sandbox_end sandbox_run(void (*function)(void *), void *argument, uint32_t seconds);

#endif
