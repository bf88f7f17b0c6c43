/* Private memory of a thread that a silent loop reads, although others may write it. Accesses to
 * own memory are no events until another thread touches it; a loop that waits for that would be
 * called endless. While the watchdog follows a loop it notes the addresses that are passed to the
 * callbacks; if the address of own memory stands anywhere where another thread could find it, they
 * become shared, and the exploration starts over with events there. */
#ifndef HEDDLE_TARGETS_RUNTIME_KERNEL_PUBLISHED_H
#define HEDDLE_TARGETS_RUNTIME_KERNEL_PUBLISHED_H

#include <ucontext.h>

#include "targets/runtime/kernel/runtime.h"

/* The watchdog starts to follow a loop. */
void published_start(void);

/* From the handler of each instruction: the thread has just entered a function outside the program.
 */
void published_note(const runtime_thread *t, const ucontext_t *context);

/* The loop does not end by itself: what it may wait for becomes shared. */
void published_share(const runtime_thread *t);

#endif
