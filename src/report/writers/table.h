/* A finding as a table: a column per thread, so that the eye follows each one downwards and sees
 * who ran in between; the source line of every step at the right; the step that failed marked.
 *
 * With so many threads that the columns would not fit a screen, the thread's name takes the place
 * of its column. */
#ifndef HEDDLE_REPORT_WRITERS_TABLE_H
#define HEDDLE_REPORT_WRITERS_TABLE_H

#include <stdio.h>

#include "report/finding.h"
#include "report/writers/source.h"
#include "report/writers/style.h"

void table_print(const finding *, source *, const style *, FILE *out);

#endif
