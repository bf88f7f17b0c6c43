/* Seconds on a clock that never jumps. */
#ifndef HEDDLE_BASE_MONOTONIC_H
#define HEDDLE_BASE_MONOTONIC_H

double monotonic_seconds(void);

#endif
