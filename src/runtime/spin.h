/* Loops that only wait: while (!atomic_load(&flag)) { }.
 *
 * A thread that comes back to the same place in the same local state (stack, registers, control
 * block), having changed nothing on the way (reads, failed compare-and-swaps and trylocks,
 * exchanges that wrote what was there), has gone round for nothing: every execution in which it
 * does so has the same future as the one in which it did not. So the thread stops there, as in an
 * assume that fails. What it would have seen later is explored anyway, because its last reads race
 * with the writes that it waits for. Whether it stops depends on what it has read itself and on
 * nothing else, as it must.
 *
 * When nothing can happen any more, it goes round once more, on trial: if it is back again, nobody
 * will ever change what it waits for, and it waits for ever. Otherwise the execution counts as one
 * that ended in a failed assume.
 *
 * A loop is noticed by a step at an earlier place than the one before; then the state is kept or
 * compared. The first round leaves its mark in temporaries, so it takes two rounds in vain. Kept
 * are the states of rounds 1, 2, 4, 8, ... (Brent), so that loops which only read cost little.
 *
 * Algorithms that compare whole states do without: looking leaves its own traces on the stack. */
#ifndef HEDDLE_RUNTIME_SPIN_H
#define HEDDLE_RUNTIME_SPIN_H

#include "runtime/runtime.h"
#include "runtime/space.h"

/* The thread has come back to an earlier place. Stops it if that was for nothing. */
void spin_turn(runtime_thread *t, uint32_t place);

static inline uint32_t spin_place_of(const void *return_address) {
    return (uint32_t)((uintptr_t)return_address - space.text_low) + 1;
}

/* To be called before a step that may turn out to change nothing; the result is to be stored in
 * t->spin_place when the step is pending. Whatever else prepares a step clears it.
 *
 * The number of turns must not be in a local variable: it would be part of the state. */
static inline uint32_t spin_next(runtime_thread *t, const void *return_address) {
    uint32_t place = spin_place_of(return_address);
    if (!t->spin_place) {
        t->spin_turns = 0;
    } else if (unlikely(place <= t->spin_place)) {
        spin_turn(t, place);
    }
    return place;
}

/* The same for a step of a replay that does not park. False: it must, to look at the state. */
static inline bool spin_goes_on(runtime_thread *t, bool pure, const void *return_address) {
    uint32_t place = pure ? spin_place_of(return_address) : 0;
    if (pure && t->spin_place && place <= t->spin_place) {
        return false;
    }
    if (!t->spin_place) {
        t->spin_turns = 0;
    }
    t->spin_place = place;
    return true;
}

/* The step has changed something after all. */
static inline void spin_acted(runtime_thread *t) {
    t->spin_place = 0;
}

/* No thread can take a step: finds out which of those that were stopped wait for ever. */
void spin_settle(void);

void spin_close(void);

/* Part of the state; see state.h. */
struct state_cursor;
void spin_pass(struct state_cursor *c, const runtime_thread *t);

#endif
