/* Functions that tell the program of the world outside: who it is, what time it is, chance. Rows of
 * the table in symbols.h. */
#ifndef HEDDLE_RUNTIME_SYMBOLS_WORLD_H
#define HEDDLE_RUNTIME_SYMBOLS_WORLD_H

#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/times.h>
#include <sys/types.h>
#include <time.h>

// clang-format off
#define RUNTIME_WORLD_SYMBOLS(X) \
    X(clock_getres) X(times) X(getrusage) X(mrand48) X(erand48) X(nrand48) X(jrand48) \
    X(getrandom) X(getentropy) X(arc4random) X(arc4random_uniform) X(arc4random_buf) \
    X(getpid) X(getppid) X(getpgrp) X(gettid) X(sched_getcpu) X(prctl)
// clang-format on

int heddle_clock_getres(clockid_t, struct timespec *);
clock_t heddle_times(struct tms *);
int heddle_getrusage(int, struct rusage *);

long heddle_mrand48(void);
double heddle_erand48(unsigned short[3]);
long heddle_nrand48(unsigned short[3]);
long heddle_jrand48(unsigned short[3]);
ssize_t heddle_getrandom(void *, size_t, unsigned);
int heddle_getentropy(void *, size_t);
uint32_t heddle_arc4random(void);
uint32_t heddle_arc4random_uniform(uint32_t);
void heddle_arc4random_buf(void *, size_t);

pid_t heddle_getpid(void);
pid_t heddle_getppid(void);
pid_t heddle_getpgrp(void);
pid_t heddle_gettid(void);
int heddle_sched_getcpu(void);
int heddle_prctl(int, unsigned long, ...);

#endif
