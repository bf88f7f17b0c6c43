/* Canaries: strategies with a deliberate fault, which the oracle must catch. A mutant is one file
 * in mutants/ that renames something with a macro, so that the real source needs no hooks, and
 * then includes the source of the strategy. */
#ifndef HEDDLE_ORACLE_MUTANT_H
#define HEDDLE_ORACLE_MUTANT_H

#include <stdint.h>

#include "explore/strategy.h"

typedef struct mutant {
    const strategy_class *class;
    const char *original; /* whose promises it breaks */
    const char *fault;
} mutant;

extern const mutant mutants[];
extern const uint32_t mutant_count;

/* Tests every mutant until it is caught. Returns how many escaped. */
uint32_t mutant_hunt(uint64_t seed, uint32_t seconds_each);

#endif
