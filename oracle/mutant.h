/* Canaries: strategies with a deliberate fault, which the oracle must catch. One that escapes shows
 * a gap in the tests.
 *
 * A mutant is one file in mutants/. It defines a broken version of something that the strategy
 * uses, puts it in the place of the right one with a macro, and includes the strategy's source,
 * whose exported name it changes: the real source needs no hooks, and a mutant follows it when it
 * changes. The list is in mutants/list.h. */
#ifndef HEDDLE_ORACLE_MUTANT_H
#define HEDDLE_ORACLE_MUTANT_H

#include <stdint.h>

/* Enough for every mutant: the hardest one needs 2,700. Time is no bound: machines differ. */
#define MUTANT_PROGRAMS 30000

/* Tests every mutant until it is caught by a program on which the original is right, and prints
 * how. Returns how many escaped. */
uint32_t mutant_hunt(uint64_t seed, uint64_t programs_each, const char *strategy);

#endif
