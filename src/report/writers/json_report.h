/* The report for programs: one JSON object on one line. Its keys are a promise to users. */
#ifndef HEDDLE_REPORT_WRITERS_JSON_REPORT_H
#define HEDDLE_REPORT_WRITERS_JSON_REPORT_H

#include <stdio.h>

#include "report/outcome.h"
#include "report/writers/schedule.h"

void json_report(const outcome *, const settings *, const char *version, FILE *out);

#endif
