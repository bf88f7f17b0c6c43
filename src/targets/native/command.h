/* Running other programs. */
#ifndef HEDDLE_TARGETS_NATIVE_COMMAND_H
#define HEDDLE_TARGETS_NATIVE_COMMAND_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/vector.h"

/* Words of a command line; the strings are not copied. */
typedef VECTOR(const char *) command;

/* Adds words up to NULL. */
void command_add(command *, const char *const *words);

/* The library of <math.h>, at the end of a linker's command: a builtin of other compilations (fabs)
 * is a call here, in programs that are not linked with it. */
void command_add_mathematics(command *);

/* Commands are printed before they run. */
extern bool command_verbose;

/* Starts it; -1 if that failed. The command need not end with NULL. */
pid_t command_start(command *);

/* Waits for it; true if it ended with status 0. */
bool command_wait(pid_t process);

bool command_run(command *);

/* A command that has only these words, the last of which is NULL. */
bool command_run_words(const char *const *words);

/* The same, but its error messages are not shown. */
bool command_try(command *);

/* Starts it with its output as a stream; to be closed, then command_wait. */
FILE *command_read(command *, pid_t *process);

/* Until command_release_interrupts, an interrupt is remembered instead of ending heddle, so that
 * files can be removed; programs that were started get it from the terminal themselves. */
void command_hold_interrupts(void);

/* Ends that, and interrupts heddle now if it was interrupted. */
void command_release_interrupts(void);
bool command_interrupted(void);

#endif
