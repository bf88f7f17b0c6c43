/* Steps that are tried (spin.h): afterwards the program starts over, and is where it was before. */
#ifndef HEDDLE_TARGETS_RUNTIME_KERNEL_SPIN_TRIAL_H
#define HEDDLE_TARGETS_RUNTIME_KERNEL_SPIN_TRIAL_H

#include "targets/runtime/kernel/runtime.h"

/* Something is tried; the program is on its way back from that. */
bool spin_is_trying(void);
bool spin_is_returning(void);

/* The pending operation of the thread is tried: what is read, and whether it has an effect, is
 * noted from now on. What it locks is held up to where it is given back. */
void spin_trial_begin(runtime_thread *, bool locks);

/* Goes back to where the program was. What was learnt is kept. */
void spin_trial_end(runtime_thread *);

/* An operation of a step; `inner`: not the first of it. */
typedef struct spin_part {
    step step;
    bool inner;
} spin_part;

/* The program has started over; it takes a part of a step, which has no effect yet. */
void spin_trial_restart(void);
void spin_trial_note_part(const spin_part *);

/* spin.c: takes it. True: the tries that follow belong to the same step. */
bool spin_take(const spin_part *, step_result *result);

/* The current step has an effect. */
bool spin_has_effect(void);

void spin_trial_close(void);

#endif
