/* A check of heddle itself: when an execution begins, everything that the program can see is as it
 * was when the first one began: its segments, its heap, main's memory, libc's data, and what the
 * kernel keeps. On in debug builds, and where HEDDLE_CHECK_RESET is set; a difference is an
 * internal error that names it.
 *
 * Of libc's data, its allocator is left out, which heddle itself uses. Once the program has called
 * what heddle does not control, only its own memory is compared: what a library has done to itself
 * is not restored, and the verdict says so. */
#ifndef HEDDLE_TARGETS_RUNTIME_KERNEL_RESET_CHECK_H
#define HEDDLE_TARGETS_RUNTIME_KERNEL_RESET_CHECK_H

#include <stdbool.h>

void reset_check_open(void);
void reset_check_close(void);

/* Code that heddle does not control has run. */
typedef bool reset_check_unseen(void *context);
void reset_check_ask(reset_check_unseen *has_unseen, void *context);

/* At the end of every reset, before the program runs. */
void reset_check(void);

#endif
