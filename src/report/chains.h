/* An order of steps with as few thread switches as possible, in which every step comes after its
 * predecessors.
 *
 * A thread that runs takes all steps that it can: delaying a step has no advantage, because it
 * would then be in a later run of its thread. So an order is a sequence of threads, and all
 * sequences are tried, short ones first; those that lead to the same steps are merged. At most
 * CHAINS_MOST of one length are kept: if there are more, the order may not be the best. */
#ifndef HEDDLE_REPORT_CHAINS_H
#define HEDDLE_REPORT_CHAINS_H

#include <stdbool.h>

#include "explore/strategy.h"

enum { CHAINS_MOST = 64 };

typedef struct chain_step {
    uint32_t thread;
    bool wanted; /* with all its predecessors */
    step_numbers before;
} chain_step;

typedef VECTOR(chain_step) chain_steps;

/* Marks the step and all its predecessors as needed. */
void chains_want(chain_steps *, uint32_t number);

void chains_free(chain_steps *);

/* The steps of each thread come one after the other by their numbers. Stores the numbers of those
 * that are needed. `last`: the last of them must stay the last. */
void chains_order(const chain_steps *, bool last, step_numbers *order);

#endif
