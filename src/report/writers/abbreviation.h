/* Which steps of a long schedule are worth printing.
 *
 * A reader wants the steps by which threads affect each other (the ends of happens-before's edges),
 * those that the error is about, and the end. The others are left out in runs of three or more, and
 * if too many rows are left, the middle of the schedule. A row is printed in place of what is left
 * out: nothing is dropped silently. Short schedules are shown as they are. */
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
