#define _GNU_SOURCE
/* Functions that return numbers through pointers. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "runtime/ranges.h"
#include "runtime/symbols.h"

/* The function's own result is a number; another one goes to *result. */
#define RETURNS_ALSO(type, name, also)         \
    type heddle_##name(type x, also *result) { \
        also second;                           \
        type first = name(x, &second);         \
        writes(result, sizeof *result, HERE);  \
        *result = second;                      \
        return first;                          \
    }

RETURNS_ALSO(double, modf, double)
RETURNS_ALSO(float, modff, float)
RETURNS_ALSO(long double, modfl, long double)
RETURNS_ALSO(double, frexp, int)
RETURNS_ALSO(float, frexpf, int)
RETURNS_ALSO(long double, frexpl, int)
RETURNS_ALSO(double, lgamma_r, int)
#undef RETURNS_ALSO

#define REMQUO(type, name)                              \
    type heddle_##name(type x, type y, int *quotient) { \
        int low;                                        \
        type rest = name(x, y, &low);                   \
        writes(quotient, sizeof *quotient, HERE);       \
        *quotient = low;                                \
        return rest;                                    \
    }

REMQUO(double, remquo)
REMQUO(float, remquof)
REMQUO(long double, remquol)
#undef REMQUO

#define SINCOS(type, name)                                                              \
    void heddle_##name(type x, type *sine, type *cosine) {                              \
        type s, c;                                                                      \
        name(x, &s, &c);                                                                \
        access_two(sine, sizeof s, ACCESS_WRITE, cosine, sizeof c, ACCESS_WRITE, HERE); \
        *sine = s;                                                                      \
        *cosine = c;                                                                    \
    }

SINCOS(double, sincos)
SINCOS(float, sincosf)
SINCOS(long double, sincosl)
#undef SINCOS

static void parses(const char *a, char **end, const void *here) {
    reads(a, strlen(a) + 1, here);
    writes(end, sizeof *end, here);
}

long double heddle_strtold(const char *a, char **end) {
    parses(a, end, HERE);
    return strtold(a, end);
}

intmax_t heddle_strtoimax(const char *a, char **end, int base) {
    parses(a, end, HERE);
    return strtoimax(a, end, base);
}

uintmax_t heddle_strtoumax(const char *a, char **end, int base) {
    parses(a, end, HERE);
    return strtoumax(a, end, base);
}

int heddle_rand_r(unsigned *seed) {
    access_plain(seed, sizeof *seed, ACCESS_READ_WRITE, HERE);
    return rand_r(seed);
}

struct tm *heddle_gmtime_r(const time_t *time, struct tm *result) {
    access_two(result, sizeof *result, ACCESS_WRITE, time, sizeof *time, ACCESS_READ, HERE);
    return gmtime_r(time, result);
}

struct tm *heddle_localtime_r(const time_t *time, struct tm *result) {
    access_two(result, sizeof *result, ACCESS_WRITE, time, sizeof *time, ACCESS_READ, HERE);
    return localtime_r(time, result);
}

time_t heddle_mktime(struct tm *time) {
    access_plain(time, sizeof *time, ACCESS_READ_WRITE, HERE);
    return mktime(time);
}
