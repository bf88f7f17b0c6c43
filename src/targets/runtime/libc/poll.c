#define _GNU_SOURCE
/* Waiting for several descriptors: a step that looks at all their channels. Files that are read,
 * and output, never make anybody wait. */
#include "targets/runtime/libc/poll.h"

#include <errno.h>
#include <sys/select.h>

#include "targets/runtime/kernel/ranges.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/libc/channel_timers.h"
#include "targets/runtime/libc/channels.h"
#include "targets/runtime/libc/epoll.h"
#include "targets/runtime/libc/files.h"
#include "targets/runtime/libc/sockets.h"
#include "targets/runtime/memory/hidden.h"
#include "targets/runtime/sync/cancel.h"
#include "targets/runtime/sync/clock.h"
#include "targets/runtime/sync/section.h"
#include "targets/runtime/sync/timeout.h"

enum { MILLISECOND_NS = 1000000, MOST_ACCESSES = 2 * FILES_MAX };

static short events_of(const struct pollfd *p, uint64_t now) {
    const open_file *file = files_at(p->fd);
    if (p->fd < 0) {
        return 0;
    }
    if (file && !file->source && !file->target && !file->socket) {
        return p->events & (POLLIN | POLLOUT);
    }
    return file ? channels_events(file, p->events, now) : POLLNVAL;
}

static int look(poll_set *set) {
    int ready = 0;
    uint64_t now = runtime.current->time;
    for (uint32_t i = 0; i < set->count; i++) {
        channel_timer_look(files_at(set->files[i].fd), now);
        set->files[i].revents = events_of(&set->files[i], now);
        ready += set->files[i].revents != 0;
    }
    return ready;
}

/* The same without writing: the stack of a thread that is parked does not change. */
static bool is_any_ready(const struct pollfd *files, size_t count, uint64_t now) {
    for (size_t i = 0; i < count; i++) {
        if (events_of(&files[i], now)) {
            return true;
        }
    }
    return false;
}

/* When the first of the timers that the thread waits for expires. */
static uint64_t next_timer(const runtime_thread *t) {
    uint64_t first = t->polled ? DEADLINE_NONE : epoll_next_timer(t->descriptor);
    for (size_t i = 0; t->polled && i < t->transfer_size; i++) {
        const struct pollfd *p = &t->polled[i];
        uint64_t next = p->events & (POLLIN | POLLRDNORM) ? channel_timer_of_file(files_at(p->fd))
                                                          : DEADLINE_NONE;
        first = next < first ? next : first;
    }
    return first;
}

/* What has no channels may get some, and what had some may have lost them: then the result depends
 * on what was done to the descriptor. */
static uint32_t add_accesses(int descriptor, memory_access *accesses, uint32_t count) {
    uint32_t sum = channels_add_accesses(files_at(descriptor), ACCESS_READ, accesses, count);
    if (sum == count && descriptor >= 0) {
        accesses[sum++] = (memory_access){
            .object = hidden_object(HIDDEN_FILES), .bytes = ACCESS_ALL_BYTES, .mode = ACCESS_READ};
    }
    return sum;
}

static footprint footprint_of_poll(const runtime_thread *t) {
    memory_access accesses[MOST_ACCESSES + 2];
    uint32_t number = t->polled ? 0 : epoll_add_accesses(t->descriptor, accesses, 0);
    for (uint32_t i = 0; t->polled && i < t->transfer_size && number < MOST_ACCESSES; i++) {
        number = add_accesses(t->polled[i].fd, accesses, number);
    }
    return number ? footprint_of(accesses, number) : FOOTPRINT_EMPTY;
}

static void refresh_poll(runtime_thread *t) {
    operation *o = &t->pending;
    timeout_start_over(t, OPERATION_POLL);
    o->footprint = footprint_of_poll(t);
    o->object = footprint_count(o->footprint) ? footprint_access(o->footprint, 0).object : 0;
    runtime_set_enabled(t, !t->transfer_waits || channel_timer_may_expire(next_timer(t)) ||
                               (t->polled ? is_any_ready(t->polled, t->transfer_size, t->time)
                                          : epoll_is_ready(t->descriptor, t->time)));
    cancel_refresh(t);
    if (!operation_enabled(o)) {
        timeout_refresh(t);
    }
}

static const refresh_rule poll_rule = {
    .update = refresh_poll, .before_step = true, .timer = next_timer};

/* Where it may time out whenever it would have to wait, it only looks. */
int poll_wait(poll_set *set, int (*look)(poll_set *), int64_t milliseconds, const void *here) {
    runtime_thread *t = runtime.current;
    uint32_t location = location_of(here);
    section_forbid(t, "poll", location);
    bool tries = milliseconds == 0;
    uint64_t end = DEADLINE_NONE;
    if (milliseconds > 0) {
        end = clock_after((uint64_t)milliseconds * MILLISECOND_NS);
        tries = timeout_is_try(t, end, location);
        timeout_set(t, end);
    }
    runtime_prepare(t, OPERATION_POLL, 0, FOOTPRINT_EMPTY, location);
    CHECK(set->count <= FILES_MAX);
    t->tail_used = true;
    t->polled = set->files;
    t->descriptor = set->epoll;
    t->transfer_size = set->count;
    t->transfer_waits = !tries;
    t->refresh = &poll_rule;
    runtime_park(t);
    uint64_t timer = next_timer(t);
    t->polled = NULL;
    cancel_check(t);
    bool timed_out = timeout_clear(t);
    int found = timed_out ? 0 : look(set);
    uint64_t first = timer < end ? timer : end;
    if (!found && milliseconds && first != DEADLINE_NONE) {
        clock_reach(first);
        found = look(set);
    } else if (!found && timer != DEADLINE_NONE) {
        clock_miss();
    }
    CHECK(found <= FILES_MAX);
    t->value = (uint64_t)found;
    return found;
}

static int wait_for_events(struct pollfd *files, uint32_t count, int64_t milliseconds,
                           const void *here) {
    for (uint32_t i = 0; i < count; i++) {
        const channel *c = channels_source(files[i].fd);
        sockets_refuse_datagram(files_at(files[i].fd), here);
        if (c && c->is_epoll) {
            heddle_unsupported("poll of an epoll", here);
        }
    }
    return poll_wait(&(poll_set){.files = files, .count = count, .epoll = -1}, look, milliseconds,
                     here);
}

/* Not a part of its callers: these clear what earlier calls have left where its frame will be. */
static __attribute__((noinline)) int poll_files(struct pollfd *files, nfds_t count,
                                                int64_t milliseconds, const void *here) {
    if (count > FILES_MAX) {
        errno = EINVAL;
        return -1;
    }
    struct pollfd own[FILES_MAX] = {0}; /* on the stack of the thread, whose state is compared */
    reads(files, count * sizeof *files, here);
    memcpy(own, files, count * sizeof *files);
    int ready = wait_for_events(own, (uint32_t)count, milliseconds, here);
    for (nfds_t i = 0; i < count; i++) {
        writes(&files[i].revents, sizeof files[i].revents, here);
        files[i].revents = own[i].revents;
    }
    return ready;
}

int heddle_poll(struct pollfd *files, nfds_t count, int timeout) {
    runtime_before_park();
    return poll_files(files, count, timeout, HERE);
}

int64_t poll_milliseconds(const struct timespec *timeout, const void *here) {
    if (!timeout) {
        return -1;
    }
    reads(timeout, sizeof *timeout, here);
    return timeout->tv_sec * 1000 + (timeout->tv_nsec + MILLISECOND_NS - 1) / MILLISECOND_NS;
}

void poll_require_mask(const sigset_t *mask, const void *here) {
    uint64_t bits;
    if (!mask) {
        return;
    }
    reads(mask, sizeof *mask, here);
    memcpy(&bits, mask, sizeof bits);
    if (runtime.current->signal_mask & ~bits && hidden_changes(HIDDEN_PENDING)) {
        heddle_unsupported("a poll during which signals are not blocked", here);
    }
}

int heddle_ppoll(struct pollfd *files, nfds_t count, const struct timespec *timeout,
                 const sigset_t *mask) {
    poll_require_mask(mask, HERE);
    runtime_before_park();
    return poll_files(files, count, poll_milliseconds(timeout, HERE), HERE);
}

/* As much of a set as holds so many descriptors: a program may allocate no more than that. */
static size_t size_of_sets(int count) {
    size_t most = sizeof(fd_set) / sizeof(fd_mask), words = ((size_t)count + NFDBITS - 1) / NFDBITS;
    return (words < most ? words : most) * sizeof(fd_mask);
}

static int keep_ready(fd_set *set, int descriptor, bool ready) {
    if (!set || !FD_ISSET(descriptor, set)) {
        return 0;
    }
    if (!ready) {
        FD_CLR(descriptor, set);
    }
    return ready;
}

static __attribute__((noinline)) int select_files(int count, fd_set *in, fd_set *out, fd_set *odd,
                                                  int64_t milliseconds, const void *here) {
    struct pollfd own[FILES_MAX] = {0}; /* on the stack of the thread, whose state is compared */
    uint32_t number = 0;
    fd_set *sets[] = {in, out, odd};
    if (count < 0) {
        errno = EINVAL;
        return -1;
    }
    for (int i = 0; i < 3; i++) {
        modifies(sets[i], sets[i] ? size_of_sets(count) : 0, here);
    }
    for (int i = 0; i < count && i < FILES_MAX; i++) {
        short events =
            (short)((in && FD_ISSET(i, in) ? POLLIN : 0) | (out && FD_ISSET(i, out) ? POLLOUT : 0));
        if (events) {
            own[number++] = (struct pollfd){.fd = i, .events = events};
        }
    }
    wait_for_events(own, number, milliseconds, here);
    int ready = 0;
    for (uint32_t i = 0; i < number; i++) {
        short events = own[i].revents;
        if (events & POLLNVAL) {
            errno = EBADF;
            return -1;
        }
        ready += keep_ready(in, own[i].fd, events & (POLLIN | POLLHUP | POLLERR));
        ready += keep_ready(out, own[i].fd, events & (POLLOUT | POLLERR));
    }
    for (int i = 0; i < count && i < FILES_MAX; i++) {
        keep_ready(odd, i, false); /* nothing odd ever happens */
    }
    return ready;
}

int heddle_select(int count, fd_set *in, fd_set *out, fd_set *odd, struct timeval *timeout) {
    int64_t milliseconds = timeout ? timeout->tv_sec * 1000 + (timeout->tv_usec + 999) / 1000 : -1;
    runtime_before_park();
    return select_files(count, in, out, odd, milliseconds, HERE);
}

int heddle_pselect(int count, fd_set *in, fd_set *out, fd_set *odd, const struct timespec *timeout,
                   const sigset_t *mask) {
    poll_require_mask(mask, HERE);
    runtime_before_park();
    return select_files(count, in, out, odd, poll_milliseconds(timeout, HERE), HERE);
}
