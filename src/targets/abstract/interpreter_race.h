/* Data races on plain cells, by C11 happens-before with all atomic operations sequentially
 * consistent: edges come from spawn, join, mutexes, and from an atomic write to the atomic read
 * that gets its value.
 *
 * Every thread has a clock; of every cell the latest access at each place is kept, so that every
 * pair of places that race is reported. That is the definition, with nothing made faster: all of it
 * lies in the interpreter's block of state, and is saved, restored and reset with it.
 *
 * A plain access that races is promoted: from the next exploration on it is a step. Without that,
 * executions that differ in the order of racing accesses only would not be distinguished. */
#ifndef HEDDLE_TARGETS_ABSTRACT_INTERPRETER_RACE_H
#define HEDDLE_TARGETS_ABSTRACT_INTERPRETER_RACE_H

#include "targets/abstract/interpreter_state.h"

/* Where versions are kept, what an access orders belongs to the version that it reads or makes, and
 * depends on its memory order. */
typedef struct versioned_access {
    bool reads, writes;
    enum access_order order;
    uint32_t message; /* of the version that it reads, or comes after */
} versioned_access;

/* A table, so that the tests can put a broken one in its place. */
struct race_detector {
    void (*start)(interpreter *, uint32_t thread);
    void (*spawn)(interpreter *, uint32_t thread, uint32_t child);
    void (*join)(interpreter *, uint32_t thread, uint32_t child);
    /* Mutexes. */
    void (*acquire)(interpreter *, uint32_t thread, uint32_t cell);
    void (*release)(interpreter *, uint32_t thread, uint32_t cell);
    /* A plain access has been made: the cells of m->touched. */
    void (*plain)(interpreter *, uint32_t thread);
    /* An atomic operation, or a section, has been taken: the cells of m->touched. */
    void (*atomic)(interpreter *, uint32_t thread);
    /* Where versions are kept, the access was made. Returns the message of what it wrote. */
    uint32_t (*version)(interpreter *, uint32_t thread, const versioned_access *);
    void (*fence)(interpreter *, uint32_t thread, enum access_order);
};

extern const race_detector interpreter_races;

/* Bytes of state; 0 if there are no plain cells. */
size_t model_race_size(const program *);

#endif
