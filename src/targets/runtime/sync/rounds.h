/* Loops around waits that may time out at any time (--timeouts=may, pthread_tryjoin_np).
 *
 * A thread that has timed out, done nothing that others can see, and is about to begin the same
 * wait in the same local state need not time out like that again. Let it do so several times in an
 * execution: from the first time-out on it is out of the set of waiters. Leave out all that it does
 * from there up to the last of these time-outs: only reads, waits that no other thread has ended,
 * and sections that only read. It then continues from the same local state at the same point of the
 * execution, the others see nothing of what was left out (a signal that chose another waiter still
 * can), and the execution ends in the same state. So such a wait times out when nothing else can
 * happen, as under --timeouts=idle, and not before: loops end, and nothing is lost. Races and
 * errors in what is left out are those of an execution in which that is the last round.
 *
 * In programs that read clocks, time passes in each round. Two local states are the same if
 * they differ in times alone, and each of these by as much as the clock, unless there are times
 * elsewhere: in variables, on the heap, in stacks that others have touched. */
#ifndef HEDDLE_TARGETS_RUNTIME_SYNC_ROUNDS_H
#define HEDDLE_TARGETS_RUNTIME_SYNC_ROUNDS_H

#include "targets/runtime/kernel/runtime.h"

/* The thread is about to begin a wait that may time out early, and has timed out in it before in
 * the same local state, as described above. */
bool rounds_repeat(runtime_thread *t, uint32_t location);

/* While loops are watched: the thread has taken a step, and has or has not written anything but its
 * own stack. */
void rounds_note(runtime_thread *t, enum operation_kind kind, uint32_t object, bool wrote);

/* It has done something that others can see. */
static inline void rounds_forget(runtime_thread *t) {
    t->round_count = 0;
}

/* The thread has timed out because nothing else could happen. */
void rounds_note_timeout(runtime_thread *t);

/* Its pending operation is a wait that was compared with earlier ones: `round` is its number, and
 * `round_again` is set if an earlier one is the same. */
bool rounds_is_at_wait(const runtime_thread *t);

/* The two local states, by their numbers (kernel/spin_table.h), differ at most in times, as above:
 * the second is the later one. */
bool rounds_same_state(uint32_t before, uint32_t now);

/* It waits, has timed out like that in this local state before, and no thread has done anything
 * since that others can see: it would repeat the loop forever. It is then left waiting, unless it
 * holds what another thread waits for, and would release it. */
bool rounds_go_on(const runtime_thread *t);

#endif
