/* All small programs, up to symmetry: the order of the threads and the renamings of alphabet.h do
 * not count. Programs are numbered from 0 on, shorter ones first.
 *
 * Left out are programs with an operation that conflicts with none of another thread (the program
 * without it has the same races), unlocks of what the thread does not surely hold, and locks of
 * what it surely holds. A program is found by counting up from the last one that was asked for, so
 * ask in ascending order. */
#ifndef HEDDLE_ORACLE_ENUMERATOR_H
#define HEDDLE_ORACLE_ENUMERATOR_H

#include "oracle/alphabet.h"

#define ENUMERATOR_OPERATIONS 12

typedef struct enumerator_request {
    alphabet_request alphabet;
    uint32_t least, most; /* operations of a program */
    uint32_t threads;     /* at most; at least two */
    uint32_t accesses;    /* at most; a section of two counts as two; 0: no limit */
} enumerator_request;

typedef struct enumerator {
    enumerator_request request;
    alphabet alphabet;
    /* The program at hand: threads by falling length; those of equal length in ascending order. */
    uint32_t operations, thread_count;
    uint8_t lengths[SKETCH_THREADS];
    uint8_t words[SKETCH_THREADS][ENUMERATOR_OPERATIONS]; /* of letters */
    bool started, finished;
    uint64_t index;
} enumerator;

/* False: the request makes no sense. */
bool enumerator_init(enumerator *, const enumerator_request *);

/* Program number `index`; false if there are not so many. */
bool enumerator_program(enumerator *, uint64_t index, sketch *);

#endif
