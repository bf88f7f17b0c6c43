/* What a program asks of the world: fixed answers, the same in every execution and, because each
 * thread has its own sequence, in equivalent ones. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#include "runtime/access.h"
#include "runtime/symbols.h"

enum { FIRST_SECOND = 1000000000 };

static uint64_t next_random(void) {
    runtime_thread *t = runtime.current;
    if (!t) {
        return 1;
    }
    uint64_t z = (t->random += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

int heddle_rand(void) {
    return (int)(next_random() >> 33);
}

long heddle_random(void) {
    return (long)(next_random() >> 33);
}

void heddle_srand(unsigned seed) {
    if (runtime.current) {
        runtime.current->random = seed;
    }
}

void heddle_srandom(unsigned seed) {
    heddle_srand(seed);
}

double heddle_drand48(void) {
    return (double)(next_random() >> 11) / (double)(1ull << 53);
}

long heddle_lrand48(void) {
    return (long)(next_random() >> 33);
}

void heddle_srand48(long seed) {
    heddle_srand((unsigned)seed);
}

/* Time goes on by a microsecond whenever a thread looks at it. */
static uint64_t microseconds(void) {
    return runtime.current ? ++runtime.current->ticks : 0;
}

time_t heddle_time(time_t *result) {
    time_t now = FIRST_SECOND + (time_t)(microseconds() / 1000000);
    if (result) {
        access_plain(result, sizeof *result, ACCESS_WRITE, __builtin_return_address(0));
        *result = now;
    }
    return now;
}

clock_t heddle_clock(void) {
    return (clock_t)microseconds();
}

int heddle_clock_gettime(clockid_t clock, struct timespec *result) {
    (void)clock;
    uint64_t now = microseconds();
    access_plain(result, sizeof *result, ACCESS_WRITE, __builtin_return_address(0));
    *result = (struct timespec){.tv_sec = FIRST_SECOND + (time_t)(now / 1000000),
                                .tv_nsec = (long)(now % 1000000) * 1000};
    return 0;
}

int heddle_timespec_get(struct timespec *result, int base) {
    heddle_clock_gettime(CLOCK_REALTIME, result);
    return base;
}

int heddle_gettimeofday(struct timeval *result, void *zone) {
    (void)zone;
    uint64_t now = microseconds();
    access_plain(result, sizeof *result, ACCESS_WRITE, __builtin_return_address(0));
    *result = (struct timeval){.tv_sec = FIRST_SECOND + (time_t)(now / 1000000),
                               .tv_usec = (suseconds_t)(now % 1000000)};
    return 0;
}

/* Sleeping promises nothing about the others: they may all have run or none. */
unsigned heddle_sleep(unsigned seconds) {
    (void)seconds;
    return 0;
}

int heddle_usleep(unsigned duration) {
    (void)duration;
    return 0;
}

int heddle_nanosleep(const struct timespec *duration, struct timespec *rest) {
    (void)duration;
    (void)rest;
    return 0;
}

int heddle_clock_nanosleep(clockid_t clock, int flags, const struct timespec *duration,
                           struct timespec *rest) {
    (void)clock;
    (void)flags;
    (void)duration;
    (void)rest;
    return 0;
}

int heddle_sched_yield(void) {
    return 0;
}

int heddle_pthread_yield(void) {
    return 0;
}

/* ---- paths, into memory of the program's heap where libc would allocate ---- */

char *getcwd(char *, size_t); /* unistd.h has an `access` that is not ours */

static char *give_path(const char *path, char *place, size_t size, const void *here) {
    size_t length = strlen(path) + 1;
    if (size && size < length) {
        errno = ERANGE;
        return NULL;
    }
    if (!place) {
        place = heddle_malloc(size ? size : length);
    }
    if (place) {
        access_plain(place, length, ACCESS_WRITE, here);
        memcpy(place, path, length);
    }
    return place;
}

char *heddle_realpath(const char *path, char *resolved) {
    char text[PATH_MAX];
    if (path) {
        access_plain(path, strlen(path) + 1, ACCESS_READ, __builtin_return_address(0));
    }
    return realpath(path, text) ? give_path(text, resolved, 0, __builtin_return_address(0)) : NULL;
}

char *heddle_getcwd(char *place, size_t size) {
    char text[PATH_MAX];
    return getcwd(text, sizeof text) ? give_path(text, place, size, __builtin_return_address(0))
                                     : NULL;
}
