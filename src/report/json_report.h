/* The report for programs: one JSON object on one line. Its keys are a promise to users. */
#ifndef HEDDLE_REPORT_JSON_REPORT_H
#define HEDDLE_REPORT_JSON_REPORT_H

#include <stdio.h>

#include "report/outcome.h"
#include "report/schedule.h"

void json_report(const outcome *, const subject *, target *, const char *version, FILE *out);

/* {"verdict":"error","message":…}: for a program that could not be checked at all. */
void json_report_failure(const char *message, FILE *out);

#endif
