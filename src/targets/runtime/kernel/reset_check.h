/* A check of heddle itself: when an execution begins, everything that the program can see is the
 * same as when the first one began: its segments, its heap, main's memory, libc's data, and the
 * state of the process in the kernel. The check is on in debug builds, and if HEDDLE_CHECK_RESET is
 * set; a difference is an internal error that names it.
 *
 * libc's allocator is not compared, because heddle itself uses it. Once the program has called a
 * function that heddle does not control, only its own memory is compared: the internal state of
 * libraries is not restored, and the verdict is "incomplete" for that reason. */
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
