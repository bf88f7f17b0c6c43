/* How much of the time is the program's own code: now and then a timer looks where the processor
 * is. */
#ifndef HEDDLE_BENCH_SAMPLER_H
#define HEDDLE_BENCH_SAMPLER_H

/* Code that is loaded between these two is the program's. */
void sampler_before_load(void);
void sampler_after_load(void);

void sampler_start(void);

/* The share of the samples since the start that were in the program's code, from 0 to 1. */
double sampler_stop(void);

#endif
