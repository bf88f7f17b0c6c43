/* Memory that is lost at the end of an execution: as errors, or as warnings (settings.leaks). */
#ifndef HEDDLE_TARGETS_NATIVE_LEAK_REPORT_H
#define HEDDLE_TARGETS_NATIVE_LEAK_REPORT_H

#include "explore/target.h"

/* A function of a target: see target_class. */
const program_error *leak_report_error(target *, uint32_t i);

/* The warnings so far. */
void leak_report_warn(void (*warn)(void *context, const char *words), void *context);
void leak_report_close(void);

#endif
