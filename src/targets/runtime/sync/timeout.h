/* Waits with a time-out (--timeouts).
 *
 * idle: a wait times out only when no thread can do anything else, and then the one whose time
 * comes first (of two at the same time, that of the lower thread number). A thread in a spin
 * loop can do nothing else if it would only repeat the loop. The time-out comes after everything
 * that has happened; but the wait might have got what it waits for before an earlier
 * step, so that it races with what it conflicts with. may: it can time out whenever it would have
 * to wait. never: it waits like one without a time-out. In a loop that is found to repeat without
 * end, it times out only as under idle (rounds.h).
 *
 * A wait whose time has passed when it begins times out at once in all of these but never. The
 * clock of a thread is never ahead of one of the real world, so this is what the program would
 * see. */
#ifndef HEDDLE_TARGETS_RUNTIME_SYNC_TIMEOUT_H
#define HEDDLE_TARGETS_RUNTIME_SYNC_TIMEOUT_H

#include "targets/runtime/kernel/runtime.h"

static inline bool timeout_may_come_anytime(void) {
    return runtime.settings.timeouts == TIMEOUTS_MAY;
}

/* The time of a wait is over before it begins: unless time-outs never come, it does not wait. */
bool timeout_has_passed(const runtime_thread *t, uint64_t deadline);

/* Whether a wait that can do without is a try: who cannot have it at once may time out. Loops
 * around tries are spin loops, unless they look at a clock (rounds.h). */
bool timeout_is_try(runtime_thread *t, uint64_t deadline, uint32_t location);

/* The same for waits that are no tries, of which each thread begins one after its time, so that
 * loops end: whether it may time out at any time. False of waits without end, and of those that the
 * thread begins again and again (rounds.h). */
bool timeout_may_come_early(runtime_thread *t, uint64_t deadline, uint32_t location);

/* The wait that the thread is about to announce ends at that time, if time-outs are idle. */
void timeout_set(runtime_thread *t, uint64_t deadline);

/* While something is tried (kernel/spin_section.h): the wait times out in the next step. */
void timeout_force(const runtime_thread *t);

/* The wait is over. True: it has timed out in this step. */
bool timeout_clear(runtime_thread *t);

/* For the rule of an operation that waits and may time out, first: it is of its own kind again, and
 * comes after nothing but its creation. */
void timeout_start_over(runtime_thread *t, enum operation_kind kind);

/* For the rule of a pending operation that is not enabled: makes it a time-out if that is due. The
 * rule must have `before_step`. */
void timeout_refresh(runtime_thread *t);

#endif
