/* The report for programs: one JSON object on one line. Its keys are a promise to users:
 * docs/schema/report.json describes them. A new key keeps the version of the schema; one that
 * changes its meaning, or vanishes, is a new version. */
#ifndef HEDDLE_REPORT_WRITERS_JSON_REPORT_H
#define HEDDLE_REPORT_WRITERS_JSON_REPORT_H

#include <stdio.h>

#include "report/outcome.h"
#include "report/writers/schedule.h"

enum { JSON_SCHEMA_VERSION = 1 };

void json_report(const outcome *, const settings *, FILE *out);

#endif
