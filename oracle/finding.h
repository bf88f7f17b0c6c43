/* A difference that was found: shrunk, printed, and kept as a regression. Of the same kind from the
 * same strategy only the first few are shrunk; the others are counted. */
#ifndef HEDDLE_ORACLE_FINDING_H
#define HEDDLE_ORACLE_FINDING_H

#include <stdint.h>

#include "oracle/campaign.h"
#include "oracle/difference.h"

#define FINDING_SORTS 64

typedef struct finding_list {
    struct {
        char strategy[40];
        enum difference_kind kind;
        uint32_t count;
    } sorts[FINDING_SORTS];
    uint32_t sort_count;
} finding_list;

/* The difference of program `index` of the campaign. */
void finding_report(finding_list *, const campaign *, uint64_t index, const difference *);

void finding_print(const difference *, const char *text);

#endif
