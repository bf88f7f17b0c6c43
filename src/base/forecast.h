/* How many executions there are, before they were counted. */
#ifndef HEDDLE_BASE_FORECAST_H
#define HEDDLE_BASE_FORECAST_H

#include <stdbool.h>

/* The true number is between `low` and `high` in nine cases of ten (docs/SCALE.md). */
typedef struct forecast {
    double low, likely, high;
    bool known;
} forecast;

#endif
