/* What exploring a program has shown, abstractly or natively, so that the two can be compared: its
 * traces, the states in which it ends, its errors. */
#ifndef HEDDLE_TESTS_NATIVE_JUDGED_H
#define HEDDLE_TESTS_NATIVE_JUDGED_H

#include "explore/exploration.h"
#include "targets/abstract/program.h"

enum { MAX_OBJECTS = 4096 };

typedef struct judged {
    sink base;
    bool native;
    bool gated; /* natively: the first event of every thread waits for main, and does not count */
    target *target;
    const program *program;
    bool loops;                  /* final states count, not traces: rounds differ in dead values */
    bool states, rounds;         /* with --states; threads go round forever */
    uint32_t cells[MAX_OBJECTS]; /* object -> cell + 1 */
    VECTOR(uint64_t) traces;
    VECTOR(uint64_t) finals; /* of programs with loops: states in which executions end */
    uint64_t endings[ENDING_ARTIFACT + 1], redundant;
    VECTOR(bool) commuting;  /* with --commuting: of each race, whether its orders commute */
    VECTOR(uint64_t) errors; /* distinct: thread and place */
    bool misuse, races, unsupported;
    bool raced; /* plain accesses were promoted */
} judged;

extern const sink_class judged_class;
extern enum memory_model judged_model; /* of the strategy graph */

uint64_t judged_mix(uint64_t hash, uint64_t word);

/* Each once. */
void judged_sort_finals(judged *);

/* False if there is too much to explore. */
bool judged_explore(judged *, target *, const strategy_class *);

#endif
