/* Steps of spin loops in POP's trees: awaits whose condition is only known by trying.
 *
 * A tree asks whether a step could have been taken just before another one. For an await it
 * compares the value that the object held there; for a step of a spin loop, the target tries the
 * step with that value, at the step's place in the execution. */
#ifndef HEDDLE_DPOR_POP_POP_SPIN_H
#define HEDDLE_DPOR_POP_POP_SPIN_H

#include "dpor/pop/pop.h"

/* What the step would be in another place follows from the value of its object there. */
bool pop_can_treat(const target *, uint8_t kind, uint8_t flags, footprint);

#define POP_CONDITION_HEAD UINT32_MAX

typedef struct pop_condition {
    tree_condition base;
    pop *pop;
    uint32_t position; /* of the step in the current execution, or POP_CONDITION_HEAD: */
    uint32_t first;    /* it comes after this many events and the schedule */
    uint32_t thread;
} pop_condition;

/* NULL: the step is in no spin loop. The condition is valid as long as its storage. */
const tree_condition *pop_condition_of_event(pop_condition *, pop *, uint32_t position);
const tree_condition *pop_condition_of_head(pop_condition *, pop *, uint32_t first, uint32_t thread,
                                            const operation *);

#endif
