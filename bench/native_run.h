/* The program as it runs without heddle: not instrumented, on the system's threads. */
#ifndef HEDDLE_BENCH_NATIVE_RUN_H
#define HEDDLE_BENCH_NATIVE_RUN_H

#include "bench/rows.h"

/* Microseconds of processor time for one execution (bench/c/shapes/native_main.c); 0: it could not
 * be built or run. */
double native_run_us(const row *, uint32_t repeat, uint32_t most_seconds);

#endif
