/* An estimate of the number of executions. */
#ifndef HEDDLE_BASE_FORECAST_H
#define HEDDLE_BASE_FORECAST_H

#include <stdbool.h>

/* The true number is between `low` and `high` in nine cases of ten (docs/SCALE.md). */
typedef struct forecast {
    double low, likely, high;
    bool known;
} forecast;

/* This many were explored since, and some are left. */
static inline forecast forecast_after(forecast f, double executions) {
    f.low = f.low < executions ? executions : f.low;
    f.likely = f.likely < executions ? executions : f.likely;
    return f;
}

#endif
