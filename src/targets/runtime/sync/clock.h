/* Virtual time: what clocks show and how sleeping lets it pass.
 *
 * Each thread has its own time, in nanoseconds. Looking at a clock takes a microsecond, sleeping as
 * long as its argument says, everything else no time. A step that reads is never earlier than the
 * writes before it: the thread's time is raised to theirs, as Lamport's clocks are. So a thread
 * that learns of a time that another one has seen never sees an earlier one. In equivalent
 * executions each read comes after the same writes, so that all times are the same as well. Looking
 * at a clock conflicts with nothing.
 *
 * A loop that sleeps in each round and looks at no clock is in the same state in all of them,
 * though each is later (spin.h): which of them is the last is decided by the others, and the
 * thread's time is then that of the first in which it can be. What a round locks and unlocks again
 * has its time, which nobody learns of either if the round is left out.
 *
 * Objects have times only from the first look at a clock on, after which the exploration starts
 * over: other programs pay a branch per step.
 *
 * Rejected: one clock for all threads, a shared object: any two reads of it, and any two sleeps,
 * would have to be tried in both orders. */
#ifndef HEDDLE_TARGETS_RUNTIME_SYNC_CLOCK_H
#define HEDDLE_TARGETS_RUNTIME_SYNC_CLOCK_H

#include <errno.h>
#include <time.h>

#include "targets/runtime/kernel/runtime.h"

struct state_cursor;

/* What clocks show at the start; so far apart that a time of one is no sensible time of another. */
enum { REAL_SECOND = 1000000000, MONOTONIC_SECOND = 100000 };

void clock_close(void);
void clock_reset(void);

/* The current time of the calling thread, after the microsecond that looking takes. */
uint64_t clock_look(void);

/* As clock_gettime does. */
int clock_give(clockid_t clock, struct timespec *result, const void *return_address);

/* The program has read a clock that starts at 0. */
bool clock_counts_from_zero(void);

/* Deadlines are times of threads, but for a wait without end, and for one whose nanoseconds are not
 * from 0 to 999,999,999. */
#define DEADLINE_NONE    UINT64_MAX
#define DEADLINE_INVALID (UINT64_MAX - 1)

/* Raises the time of the calling thread to the deadline of a wait that has timed out. Timers are
 * late: if that time has passed already, the wait takes a millisecond. Otherwise a loop that waits
 * until a clock shows more than its deadline would never end. */
void clock_reach(uint64_t deadline);

/* A look at a timer that has not expired takes a millisecond, so that a loop of such looks ends. */
void clock_miss(void);

/* The result of a wait until `deadline`: a thread that times out has waited until then. */
static inline int clock_result(int result, uint64_t deadline) {
    if (result == ETIMEDOUT) {
        clock_reach(deadline);
    }
    return result;
}

/* A span, or a time before clock_deadline takes it; 0 if that is negative. A century is the most.
 */
uint64_t clock_nanoseconds(const struct timespec *);

/* The deadline of a wait for so long. Beginning a wait takes no time, so that a loop around waits
 * that return at once is recognised as a loop. */
uint64_t clock_after(uint64_t nanoseconds);
uint64_t clock_after_span(const struct timespec *span);

/* The functions that name a clock to wait by refuse all others. */
static inline bool clock_can_be_waited_by(clockid_t clock) {
    return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC;
}

/* The deadline of a wait until the clock shows `time`. */
uint64_t clock_deadline(clockid_t clock, const struct timespec *time);

/* The thread was created or woken by the other one, or has joined it: its time is not earlier. */
void clock_follow(runtime_thread *t, const runtime_thread *earlier);

/* The pending operation of the thread is taken. */
void clock_step(runtime_thread *t);

/* Part of the state; see state.h. */
void clock_pass_state(struct state_cursor *c);

/* All there is, for undo_check.h. */
void clock_visit(void (*visit)(const char *name, uint32_t number, const void *data, size_t size));

#endif
