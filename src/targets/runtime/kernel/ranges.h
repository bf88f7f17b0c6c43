/* For the models of libc functions: announcing the ranges that they touch. */
#ifndef HEDDLE_TARGETS_RUNTIME_KERNEL_RANGES_H
#define HEDDLE_TARGETS_RUNTIME_KERNEL_RANGES_H

#include <string.h>

#include "targets/runtime/kernel/access.h"

#define HERE __builtin_return_address(0)

static inline void reads(const void *a, size_t size, const void *here) {
    if (size) {
        access_plain(a, size, ACCESS_READ, here);
    }
}

/* Where the model itself looks at nothing, but libc does: there has to be memory. */
static inline void touches(const void *a) {
    (void)*(const volatile char *)a;
}

/* How large a range is may depend on what is in it: a string ends where it does. That was looked at
 * before its announcement, and the others may have made it larger before the step was taken. So it
 * is announced again until it has been announced as a whole. `seen` is 0 at first. */
static inline bool range_grew(size_t *seen, const void *a, size_t size) {
    bool grew = size > *seen;
    (void)a;
    *seen = grew ? size : *seen;
    return grew;
}

static inline bool ranges_grew(size_t *seen, size_t *seen_second, const void *a, size_t size,
                               const void *b, size_t second_size) {
    bool grew = range_grew(seen, a, size);
    return range_grew(seen_second, b, second_size) || grew;
}

static inline void reads_string(const char *a, const void *here) {
    for (size_t seen = 0; range_grew(&seen, a, strlen(a) + 1);) {
        reads(a, seen, here);
    }
}

/* An optional result. */
static inline void writes(const void *a, size_t size, const void *here) {
    if (a && size) {
        access_plain(a, size, ACCESS_WRITE, here);
    }
}

static inline void modifies(const void *a, size_t size, const void *here) {
    if (size) {
        access_plain(a, size, ACCESS_READ_WRITE, here);
    }
}

/* Two ranges in one step. */

static inline void reads_two(const void *a, size_t a_size, const void *b, size_t b_size,
                             const void *here) {
    access_two(a, a_size, ACCESS_READ, b, b_size, ACCESS_READ, here);
}

static inline void writes_two(const void *a, size_t a_size, const void *b, size_t b_size,
                              const void *here) {
    access_two(a, a_size, ACCESS_WRITE, b, b_size, ACCESS_WRITE, here);
}

static inline void writes_from(const void *to, size_t size, const void *from, size_t from_size,
                               const void *here) {
    access_two(to, size, ACCESS_WRITE, from, from_size, ACCESS_READ, here);
}

static inline void appends(const void *to, size_t size, const void *from, size_t from_size,
                           const void *here) {
    access_two(to, size, ACCESS_READ_WRITE, from, from_size, ACCESS_READ, here);
}

static inline void copies(const void *to, const void *from, size_t size, const void *here) {
    access_two(to, size, ACCESS_WRITE, from, size, ACCESS_READ, here);
}

#endif
