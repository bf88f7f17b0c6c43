/* What the page of --html and heddle's commands in gdb show of an outcome, as one JSON object:
 * every finding with its steps, places, waits and reasons in words, the text of the sources, and
 * the figures of the exploration. It is only for them and may change; --json is for other users. */
#ifndef HEDDLE_REPORT_WRITERS_PAGE_DATA_H
#define HEDDLE_REPORT_WRITERS_PAGE_DATA_H

#include "base/text.h"
#include "report/outcome.h"

void page_data(text *out, const outcome *);

#endif
