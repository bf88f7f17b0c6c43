/* All behaviours of a program, by brute force.
 *
 * Two modes. Plain: every interleaving is run to its end, nothing is left out. Merged: prefixes
 * with the same canonical form are explored once; equal prefixes have equal futures, so the same
 * sets come out, and even the number of interleavings, as a sum over the merged graph. Merging is
 * what makes some thousand traces affordable; the plain mode is there to check it. */
#ifndef HEDDLE_ORACLE_BRUTE_H
#define HEDDLE_ORACLE_BRUTE_H

#include <stdbool.h>
#include <stdint.h>

#include "oracle/hash.h"
#include "oracle/trace.h"

enum brute_mode { BRUTE_MERGED, BRUTE_PLAIN };

typedef struct brute {
    bool observe;      /* set by the user: classes of observers are wanted */
    bool fine;         /* the same: traces as fine strategies tell them apart (machine.h) */
    bool complete;     /* false: a limit was hit, and nothing below means anything */
    hash_table traces; /* value: enum machine_ending */
    hash_table outcomes;
    hash_table states;
    hash_table finals;              /* trace_final */
    hash_table results;             /* trace_result */
    hash_table deeds;               /* trace_deeds */
    hash_table classes;             /* observed.h; only if `observe` was set before */
    hash_table errors;              /* brute_error_hash */
    hash_table races;               /* races_pair */
    uint64_t endings[FINISH_COUNT]; /* traces by how they end */
    uint64_t interleavings;         /* stays at UINT64_MAX once it gets there */
    uint64_t prefixes;              /* steps taken */
    uint32_t longest;               /* events of the longest execution */
    /* Of programs with loops (machine_spin.h): */
    cell_set spun;   /* variables that spin loops wait for */
    hash_table ends; /* trace_final where no thread could continue, not even round in a loop */
    bool goes_round; /* threads go round forever in some execution */
    /* For the search. */
    enum brute_mode mode;
    uint64_t prefix_limit;
    hash_table visited; /* value: interleavings from there */
    trace trace;
} brute;

/* Names an error by where it happens: the line is that of the program's text. */
hash brute_error_hash(uint32_t thread, enum machine_error, uint32_t line);

/* Explores the program until done or more than prefix_limit steps were taken. */
void brute_run(brute *, const program *, enum brute_mode, uint64_t prefix_limit);
void brute_free(brute *);

#endif
