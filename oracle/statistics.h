/* What the programs of a campaign were like, by kind: how many were hard. */
#ifndef HEDDLE_ORACLE_STATISTICS_H
#define HEDDLE_ORACLE_STATISTICS_H

#include <stdint.h>

#include "oracle/differ.h"
#include "oracle/kinds.h"

typedef struct kind_statistics {
    uint64_t programs; /* tested */
    uint64_t skipped;  /* too large for brute force */
    uint64_t traces;
    uint64_t many;  /* more than 50 traces */
    uint64_t wide;  /* three or more threads */
    uint64_t stuck; /* some trace ends with a thread that is blocked forever or failed an assume */
    uint64_t errors;
    uint64_t fell_back;                     /* some strategy fell back, and was not judged */
    uint64_t shuffled;                      /* also with work in random order */
    uint64_t compared, reduced, executions; /* as in differ_result */
    uint64_t features[FEATURE_COUNT];
    uint64_t differences;
    double seconds;
} kind_statistics;

/* The kind of enumerated programs, which come from no table. */
#define STATISTICS_ENUMERATED KINDS_MOST

typedef struct statistics {
    kind_statistics kinds[KINDS_MOST + 1];
} statistics;

void statistics_add(statistics *, uint32_t kind, const differ_result *, double seconds);
kind_statistics statistics_total(const statistics *);
void statistics_print(const statistics *);

#endif
