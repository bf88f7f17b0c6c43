/* A finding as a table: a column per thread, so that a reader can follow each one downwards and see
 * which threads ran in between; a line from column to column where the thread changes; the source
 * line of every step at the right; the step that failed marked with >, and the one after which the
 * error could not be avoided with !.
 *
 * The table fits the width of the style: columns become narrower and their cells are broken into
 * lines, names that are too long are shortened in the middle. If even that is too wide, because
 * there are many threads, the steps become a list with thread names. */
#ifndef HEDDLE_REPORT_WRITERS_TABLE_H
#define HEDDLE_REPORT_WRITERS_TABLE_H

#include <stdio.h>

#include "report/finding.h"
#include "report/writers/source.h"
#include "report/writers/style.h"

void table_print(const finding *, source *, const style *, FILE *out);

#endif
