/* Timers of timerfd_create: channels that hold the number of times that they have expired.
 *
 * A timer expires when a thread looks at it whose time (sync/clock.h) has reached its deadline.
 * Who waits for it waits with a time-out (sync/timeout.h): under idle, until nobody can do anything
 * else; under may, an armed timer may always have expired; under never it never does. */
#ifndef HEDDLE_TARGETS_RUNTIME_LIBC_CHANNEL_TIMERS_H
#define HEDDLE_TARGETS_RUNTIME_LIBC_CHANNEL_TIMERS_H

#include <time.h>

#include "targets/runtime/libc/channels.h"

struct open_file;

/* A new one, part of a step that this begins. */
struct open_file *channel_timer_create(int clock, const void *return_address);

/* That of a file, or NULL. */
channel *channel_timer_at(const struct open_file *file);

/* Some timer is armed, so that the same thing done later need not be the same. */
bool channel_timers_are_armed(void);

/* timerfd_settime and its gettime, as part of a step. */
int channel_timer_set(channel *c, bool absolute, const struct itimerspec *wanted,
                      struct itimerspec *old, const void *return_address);
int channel_timer_get(channel *c, struct itimerspec *place, const void *return_address);

/* It has expired at that time and nobody has looked yet. */
bool channel_timer_is_due(const channel *c, uint64_t now);

/* Part of a step: counts how often it has expired by then. */
void channel_timer_advance(channel *c, uint64_t now);

/* When it expires next; DEADLINE_NONE: it is not armed, or the file is no timer. */
uint64_t channel_timer_next(const channel *c);
uint64_t channel_timer_of_file(const struct open_file *file);

/* The same as advance for the timer of a file, if it is one's. */
void channel_timer_look(const struct open_file *file, uint64_t now);

/* Whether somebody who waits for this need not wait: it may have expired. */
bool channel_timer_may_expire(uint64_t next);

#endif
