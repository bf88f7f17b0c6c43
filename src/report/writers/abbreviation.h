/* Which steps of a long schedule are worth printing.
 *
 * A reader wants the beginning, the end, and every change from one thread to another; the inside of
 * a long run of one thread is left out first, then the middle of the schedule. What is left out
 * becomes a row of its own that says so: nothing is dropped silently. */
#ifndef HEDDLE_REPORT_WRITERS_ABBREVIATION_H
#define HEDDLE_REPORT_WRITERS_ABBREVIATION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vector.h"
#include "report/finding.h"

/* A printed step (count 1, shown), or `count` steps from `first` on that are not shown. */
typedef struct row {
    uint32_t first;
    uint32_t count;
    bool shown;
} row;

typedef VECTOR(row) row_list;

/* Rows for all steps, in order. */
void abbreviate(const finding *, bool full, row_list *rows);

#endif
