/* Spin loops of C programs: a thread that would only repeat a loop waits instead
 * (docs/ALGORITHMS.md).
 *
 * A program without spin loops pays a count per step. A thread that takes many steps in a row that
 * may be void is examined: when its stack is again what it was (found by hashes, after Brent), the
 * places in between are those of a loop, and the exploration starts over and watches loops.
 *
 * While watching, the local state of a thread that is about to take a step in a loop (stack,
 * registers and errno) has a number, and what the step does is found by taking it once, looking
 * whether anything but the thread has changed, and starting over. That is remembered by the local
 * state and by all that the step has read, so that it happens once for each of them. A step that is
 * void and leads to a local state that the thread had since its last step with an effect is
 * disabled.
 *
 * Equal local states must look equal, so what heddle leaves on stacks is cleared from the first run
 * on (runtime.exact), and what the program leaves in dead locals while loops are watched
 * (targets/native/dead_locals.h). Remaining differences only cost executions.
 *
 * Rejected: undoing what was tried. Starting over is slower, but correct for everything that it
 * touches. */
#ifndef HEDDLE_TARGETS_RUNTIME_KERNEL_SPIN_H
#define HEDDLE_TARGETS_RUNTIME_KERNEL_SPIN_H

#include "targets/runtime/kernel/runtime.h"

/* Steps in a row that may be void, after which a thread is examined. */
enum { SPIN_RUN = 24 };

void spin_close(void);

/* ---- while nothing is known ---- */

/* The thread has taken SPIN_RUN steps that may be part of a void round (ROLE_REPEATS), or more. */
void spin_suspect(runtime_thread *t);

/* ---- while watching (runtime.spinning) ---- */

/* Read by the program's code, which then clears locals that are dead
 * (targets/native/dead_locals.h). */
extern bool heddle_loops_are_watched;

/* The program has started over. */
void spin_start(void);

/* Other accesses are steps from now on: what was learnt about steps no longer holds. */
void spin_forget_outcomes(void);

/* Takes a step of the target while loops are watched. */
void spin_step(uint32_t thread, uint32_t choice, step_result *result);

/* Brings the pending operation up to date: it is disabled if it would close a void round. */
void spin_refresh(runtime_thread *t);

/* The thread has timed out, which it does only while all others wait or repeat loops. Those in
 * loops may have been anywhere in their rounds: each of them may run once more to where it is now,
 * and these steps come after the time-out. */
void spin_go_round_again(const runtime_thread *after);

/* If the pending operation comes after such a time-out, that is one of its causes. */
void spin_add_cause(runtime_thread *t);

/* Under weak memory models: the pending operation may close a void round with some version that it
 * could read; it closes one with the version of that choice. */
bool spin_may_wait(const runtime_thread *t);
bool spin_waits(runtime_thread *t, uint32_t choice);

/* Whether the pending operation of a thread, which waits in a loop, could be taken if its object
 * held that value: for a mutex, its owner. */
bool spin_opens(uint32_t thread, uint64_t value);
/* False: it is not a synchronisation object. */
bool spin_owner(uint32_t object, uint64_t *owner);

/* Some thread is left, and none is enabled. */
enum target_ending spin_judge(void);

/* After spin_judge: the round of some thread has several steps. */
bool spin_rounds_are_long(void);

/* The current step has read or written in passing; it has had another effect. */
void spin_note(runtime_thread *t, uintptr_t address, size_t size, uint8_t mode);
void spin_effect(void);

/* The current step frees that, or writes there atomically: what others read in rounds that are left
 * out may race with that. */
void spin_note_free(const runtime_thread *t, uintptr_t address, size_t size);
void spin_note_footprint(const runtime_thread *t, footprint f);

/* The current thread, by a try that may fail or by looking at the value, or any thread, may see
 * that the object is held. */
void spin_note_try(uint32_t sync);
void spin_note_look(uint32_t sync);
void spin_note_seen(uint32_t sync);

/* What was noted about the thread is consistent; for debug builds. */
void spin_check(const runtime_thread *t);

/* ---- what was learnt ---- */

/* Place number i in a loop, as an offset in the program's code, and its marks (spin_places.h);
 * false: there are no more. spin_expect adds a place that another process has found. */
bool spin_known(uint32_t i, uintptr_t *offset, uint32_t *marks);
bool spin_expect(uintptr_t offset, uint32_t marks);

/* Every thread executes one round before it waits, because of races in rounds that are left out:
 * one that reads plainly, or any. */
enum spin_once { SPIN_ONCE_NOT, SPIN_ONCE_PLAIN, SPIN_ONCE_ALL };
extern enum spin_once spin_once;

#endif
