#include "targets/runtime/libc/random.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "targets/runtime/kernel/ranges.h"
#include "targets/runtime/kernel/symbols.h"

uint64_t random_number(void) {
    runtime_thread *t = runtime.current;
    if (!t) {
        return 1;
    }
    return random_next(&t->random);
}

_Static_assert(RAND_MAX == INT32_MAX, "rand and random give 31 bits");

int heddle_rand(void) {
    return (int)(random_number() >> 33);
}

long heddle_random(void) {
    return (long)(random_number() >> 33);
}

void heddle_srand(unsigned seed) {
    if (runtime.current) {
        runtime.current->random.state = seed;
    }
}

void heddle_srandom(unsigned seed) {
    heddle_srand(seed);
}

double heddle_drand48(void) {
    return (double)(random_number() >> 11) / (double)(1ull << 53);
}

void heddle_srand48(long seed) {
    heddle_srand((unsigned)seed);
}

long heddle_mrand48(void) {
    return (int32_t)(random_number() >> 32);
}

/* The kernel's. */

void random_fill(void *place, size_t size, const void *here) {
    unsigned char *bytes = place;
    writes(place, size, here);
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (unsigned char)(random_number() >> 32);
    }
}

ssize_t heddle_getrandom(void *place, size_t size, unsigned flags) {
    (void)flags;
    random_fill(place, size, HERE);
    return (ssize_t)size;
}

int heddle_getentropy(void *place, size_t size) {
    if (size > 256) {
        errno = EIO;
        return -1;
    }
    random_fill(place, size, HERE);
    return 0;
}

uint32_t heddle_arc4random(void) {
    return (uint32_t)(random_number() >> 32);
}

uint32_t heddle_arc4random_uniform(uint32_t bound) {
    return bound ? (uint32_t)(random_number() >> 32) % bound : 0;
}

void heddle_arc4random_buf(void *place, size_t size) {
    random_fill(place, size, HERE);
}
