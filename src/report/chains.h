/* An order of steps with as few switches between threads as there can be, in which every step comes
 * after those that it has to come after.
 *
 * A thread that runs takes all steps that it can: a step that could be taken and is put off has no
 * advantage, for it would be in a later run of its thread. So an order is a sequence of threads,
 * and all sequences are tried, short ones first; those that lead to the same steps are one. At most
 * CHAINS_MOST of one length are kept: only where there are more need the order not be the best. */
#ifndef HEDDLE_REPORT_CHAINS_H
#define HEDDLE_REPORT_CHAINS_H

#include <stdbool.h>

#include "explore/strategy.h"

enum { CHAINS_MOST = 64 };

typedef struct chain_step {
    uint32_t thread;
    bool wanted; /* with all that it comes after */
    step_numbers before;
} chain_step;

typedef VECTOR(chain_step) chain_steps;

/* The step and all that it comes after are wanted. */
void chains_want(chain_steps *, uint32_t number);

void chains_free(chain_steps *);

/* The steps of each thread come one after the other by their numbers. Stores the numbers of those
 * that are wanted. `last`: the last of them stays the last. */
void chains_order(const chain_steps *, bool last, step_numbers *order);

#endif
