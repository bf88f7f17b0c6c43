/* An execution with one of its races reversed: whether happens-before stays the same except for the
 * race itself, so that the edge between its two events is inessential. */
#ifndef HEDDLE_DPOR_OBSERVERS_SWAPPED_H
#define HEDDLE_DPOR_OBSERVERS_SWAPPED_H

#include "dpor/comparison.h"
#include "dpor/observed.h"

typedef struct swapped_race {
    execution execution; /* E with the race reversed */
    observed_order order;
} swapped_race;

void swapped_init(swapped_race *);
void swapped_free(swapped_race *);

/* Of the race of the reversal's e with the event at `second`, both orders of which lead to the same
 * state (comparison_commutes). `order` is that of E. */
bool swapped_keeps_order(swapped_race *, const reversal *, const comparison *,
                         const observed_order *order, uint32_t second);

#endif
