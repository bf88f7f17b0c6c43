/* Many programs on many processors: workers are forked processes that share nothing but the
 * numbering of the programs, so that the same seed gives the same programs with any number of
 * them. The parent gathers statistics, and shrinks and reports what differs. */
#ifndef HEDDLE_ORACLE_CAMPAIGN_H
#define HEDDLE_ORACLE_CAMPAIGN_H

#include <stdbool.h>
#include <stdint.h>

#include "oracle/differ.h"
#include "oracle/enumerator.h"
#include "oracle/generator.h"

typedef struct campaign {
    generator_request request;
    enumerator *enumerator; /* all small programs in place of random ones; or NULL */
    uint64_t from;          /* number of the first program */
    uint64_t part, parts;   /* of these only each `parts`-th, beginning with number `part` */
    uint64_t prefix_limit;  /* of the brute force */
    uint32_t policies;      /* first schedules that each program is explored under */
    uint64_t programs;      /* how many; 0: until the time is over, or there are no more */
    uint32_t seconds;       /* 0: no limit */
    uint32_t jobs;
    const char *directory; /* where shrunk programs are kept; NULL: nowhere */
    bool progress;         /* a line that is overwritten */
    const defendant *defendants;
    uint32_t defendant_count; /* 0: only the programs are generated and explored by brute force */
} campaign;

#define CAMPAIGN_PREFIX_LIMIT 60000

/* Program number `index`; false if there are not so many. */
bool campaign_program(const campaign *, uint64_t index, sketch *, uint32_t *kind);

/* Runs it and prints a summary. Returns the number of programs with a difference. */
uint64_t campaign_run(const campaign *);

#endif
