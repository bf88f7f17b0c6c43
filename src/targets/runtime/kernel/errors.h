/* The errors of the step that is being taken. More than one thread can run in a step, its own and
 * one that it creates, and a thread can race before it fails: each is kept, because a race is an
 * error also where --svcomp does not count what ends the thread. */
#ifndef HEDDLE_TARGETS_RUNTIME_KERNEL_ERRORS_H
#define HEDDLE_TARGETS_RUNTIME_KERNEL_ERRORS_H

#include "explore/target.h"

void errors_clear(void);

/* Keeps these, or none (NULL), while another part of the step is taken; the chain of those and of
 * the part's own. */
void errors_hold(const program_error *first);
const program_error *errors_release(const program_error *own);

/* A race of the thread, or an error of any other kind, has been added. */
bool errors_have(uint32_t thread, bool race);

/* Unless one like it has: errors that end threads come before races. */
void errors_add(const program_error *error);

/* As a chain; NULL: there is none. */
const program_error *errors_first(void);

#endif
