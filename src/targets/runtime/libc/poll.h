/* Waiting for several descriptors. */
#ifndef HEDDLE_TARGETS_RUNTIME_LIBC_POLL_H
#define HEDDLE_TARGETS_RUNTIME_LIBC_POLL_H

#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <time.h>

/* What to wait for: files, or else what the epoll of a descriptor watches. */
typedef struct poll_set {
    struct pollfd *files; /* on the stack of the thread; or NULL */
    uint32_t count;
    int epoll;
} poll_set;

/* A step that waits until something of it is ready or the time is over; `milliseconds` < 0: without
 * a time-out. Then `look` gives the number of what is found, in the same step. */
int poll_wait(poll_set *set, int (*look)(poll_set *), int64_t milliseconds,
              const void *return_address);

/* The time-out of a call that takes a timespec. */
int64_t poll_milliseconds(const struct timespec *timeout, const void *return_address);

/* A wait with this mask: an error if a signal could arrive during it that could not before. */
void poll_require_mask(const sigset_t *mask, const void *return_address);

#endif
