#define _GNU_SOURCE
#include "targets/runtime/libc/epoll.h"

#include <errno.h>
#include <sys/epoll.h>

#include "targets/runtime/kernel/fail.h"
#include "targets/runtime/kernel/ranges.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/libc/channel_timers.h"
#include "targets/runtime/libc/channels.h"
#include "targets/runtime/libc/files.h"
#include "targets/runtime/libc/poll.h"
#include "targets/runtime/libc/sockets.h"
#include "targets/runtime/memory/hidden.h"
#include "targets/runtime/sync/clock.h"

static channel *epoll_of(int descriptor) {
    channel *c = channels_source(descriptor);
    return c && c->is_epoll ? c : NULL;
}

static uint8_t number_of(const channel *c) {
    CHECK(c >= files_table()->channels && c < files_table()->channels + CHANNELS_MAX);
    return (uint8_t)(c - files_table()->channels + 1);
}

/* ---- the set ---- */

static int create(const void *here) {
    channels_create_step(here);
    uint32_t number = channels_new(false);
    if (!number) {
        heddle_unsupported("more than 64 open files or 16 pipes", here);
    }
    channel *c = &files_table()->channels[number - 1];
    c->is_epoll = true;
    c->writers = 0;
    open_file *file = files_new();
    CHECK(number <= CHANNELS_MAX && !file->source);
    file->source = (uint8_t)number;
    return files_number(file);
}

int heddle_epoll_create(int size) {
    return size > 0 ? create(HERE) : fail_with(EINVAL);
}

int heddle_epoll_create1(int flags) {
    return flags & ~EPOLL_CLOEXEC ? fail_with(EINVAL) : create(HERE);
}

static epoll_interest *find(uint8_t epoll, const open_file *file, int descriptor) {
    for (uint32_t i = 0; i < FILES_MAX; i++) {
        epoll_interest *e = &files_table()->interests[i];
        if (e->epoll == epoll &&
            (!epoll || (e->item == file - files_table()->items && e->descriptor == descriptor))) {
            return e;
        }
    }
    return NULL;
}

/* Every event that holds is new. */
static void set(epoll_interest *e, const open_file *file, const struct epoll_event *wanted) {
    const channel *all = files_table()->channels;
    e->events = wanted->events;
    e->data = wanted->data.u64;
    e->spent = false;
    e->arrivals = file->source ? all[file->source - 1].arrivals - 1 : 0;
    e->leavings = file->target ? all[file->target - 1].leavings - 1 : 0;
}

static int add(uint8_t epoll, const open_file *file, int descriptor,
               const struct epoll_event *wanted, const void *here) {
    epoll_interest *e = find(0, NULL, 0);
    if (!e) {
        heddle_unsupported("epoll with more than 64 descriptors", here);
    }
    *e = (epoll_interest){.epoll = epoll,
                          .item = (uint8_t)(file - files_table()->items),
                          .descriptor = (uint8_t)descriptor};
    set(e, file, wanted);
    return 0;
}

static int change(channel *c, int operation, int descriptor, const struct epoll_event *wanted,
                  const void *here) {
    const open_file *file = files_at(descriptor);
    if (!file) {
        return fail_with(EBADF);
    }
    if (!file->source && !file->target && !file->socket) {
        return fail_with(EPERM); /* an ordinary file */
    }
    sockets_refuse_datagram(file, here);
    if (epoll_of(descriptor)) {
        heddle_unsupported("an epoll in an epoll", here);
    }
    epoll_interest *there = find(number_of(c), file, descriptor);
    if (operation == EPOLL_CTL_ADD ? there != NULL : !there) {
        return fail_with(there ? EEXIST : ENOENT);
    }
    CHECK(c->is_epoll && c->readers && !c->writers);
    c->count++;
    c->clock = race_release_row(runtime.current, c->clock);
    switch (operation) {
        case EPOLL_CTL_ADD: return add(number_of(c), file, descriptor, wanted, here);
        case EPOLL_CTL_MOD: set(there, file, wanted); return 0;
        case EPOLL_CTL_DEL: *there = (epoll_interest){0}; return 0;
        default: return fail_with(EINVAL);
    }
}

int heddle_epoll_ctl(int descriptor, int operation, int other, struct epoll_event *wanted) {
    struct epoll_event own = {0};
    if (operation != EPOLL_CTL_DEL) {
        reads(wanted, sizeof *wanted, HERE);
        own = *wanted;
    }
    channels_create_step(HERE);
    channel *c = epoll_of(descriptor);
    if (!c) {
        return fail_with(files_at(descriptor) ? EINVAL : EBADF);
    }
    return change(c, operation, other, &own, HERE);
}

uint32_t epoll_add_watchers(const open_file *file, memory_access *accesses, uint32_t count) {
    for (uint32_t i = 0; file && i < FILES_MAX; i++) {
        const epoll_interest *e = &files_table()->interests[i];
        if (e->epoll && &files_table()->items[e->item] == file) {
            accesses[count++] = channels_access(channels_at(e->epoll), ACCESS_READ_WRITE);
        }
    }
    return count;
}

void epoll_forget(const open_file *file) {
    uint8_t item = (uint8_t)(file - files_table()->items);
    bool is_epoll = file->source && files_table()->channels[file->source - 1].is_epoll;
    for (uint32_t i = 0; i < FILES_MAX; i++) {
        epoll_interest *e = &files_table()->interests[i];
        if (e->epoll && (e->item == item || (is_epoll && e->epoll == file->source))) {
            *e = (epoll_interest){0};
        }
    }
}

/* ---- waiting ---- */

static const open_file *file_of(const epoll_interest *e) {
    CHECK(e->epoll && e->item < FILES_MAX && files_table()->items[e->item].open);
    return &files_table()->items[e->item];
}

/* An edge of a timer that has just expired is new. */
static uint32_t events_of(const epoll_interest *e, uint64_t now) {
    if (e->spent) {
        return 0;
    }
    bool edge = e->events & EPOLLET && channel_timer_of_file(file_of(e)) > now;
    short events = channels_events(file_of(e), (short)e->events, now);
    return (uint16_t)(edge ? channels_new_events(file_of(e), events, e->arrivals, e->leavings)
                           : events);
}

bool epoll_is_ready(int descriptor, uint64_t now) {
    const channel *c = epoll_of(descriptor);
    for (uint32_t i = 0; c && i < FILES_MAX; i++) {
        const epoll_interest *e = &files_table()->interests[i];
        if (e->epoll == number_of(c) && events_of(e, now)) {
            return true;
        }
    }
    return !c; /* then it fails */
}

uint64_t epoll_next_timer(int descriptor) {
    const channel *c = epoll_of(descriptor);
    uint64_t first = DEADLINE_NONE;
    for (uint32_t i = 0; c && i < FILES_MAX; i++) {
        const epoll_interest *e = &files_table()->interests[i];
        if (e->epoll == number_of(c) && !e->spent && e->events & (EPOLLIN | EPOLLRDNORM)) {
            uint64_t next = channel_timer_of_file(file_of(e));
            first = next < first ? next : first;
        }
    }
    return first;
}

/* A wait that reports an edge or a one-shot event takes it from other waits. */
uint32_t epoll_add_accesses(int descriptor, memory_access *accesses, uint32_t count) {
    const channel *c = epoll_of(descriptor);
    uint32_t own = count;
    if (!c) {
        accesses[count++] = (memory_access){
            .object = hidden_object(HIDDEN_FILES), .bytes = ACCESS_ALL_BYTES, .mode = ACCESS_READ};
        return count;
    }
    count = channels_add_accesses(files_at(descriptor), ACCESS_READ, accesses, count);
    for (uint32_t i = 0; i < FILES_MAX; i++) {
        const epoll_interest *e = &files_table()->interests[i];
        if (e->epoll == number_of(c)) {
            count = channels_add_accesses(file_of(e), ACCESS_READ, accesses, count);
            accesses[own].mode |= e->events & (EPOLLET | EPOLLONESHOT) ? ACCESS_READ_WRITE : 0;
        }
    }
    return count;
}

/* It is reported. */
static void take(epoll_interest *e, channel *c) {
    const open_file *file = file_of(e);
    const channel *all = files_table()->channels;
    if (!(e->events & (EPOLLET | EPOLLONESHOT))) {
        return;
    }
    CHECK(!e->spent && e->epoll == number_of(c));
    undo_write((uintptr_t)e, sizeof *e);
    undo_write((uintptr_t)c, sizeof *c);
    c->count++;
    e->spent = e->events & EPOLLONESHOT;
    e->arrivals = file->source ? all[file->source - 1].arrivals : 0;
    e->leavings = file->target ? all[file->target - 1].leavings : 0;
}

typedef struct epoll_set {
    poll_set set; /* first */
    int most;
    struct epoll_event found[FILES_MAX];
} epoll_set;

/* In the order in which they were added, places that became free first. */
static int look(poll_set *set) {
    epoll_set *s = (epoll_set *)set;
    uint64_t now = runtime.current->time;
    channel *c = epoll_of(set->epoll);
    int count = 0;
    if (!c) {
        return fail_with(files_at(set->epoll) ? EINVAL : EBADF);
    }
    race_acquire_row(runtime.current, c->clock);
    for (uint32_t i = 0; i < FILES_MAX && count < s->most; i++) {
        epoll_interest *e = &files_table()->interests[i];
        if (e->epoll == number_of(c)) {
            channel_timer_look(file_of(e), now);
        }
        uint32_t events = e->epoll == number_of(c) ? events_of(e, now) : 0;
        if (events) {
            s->found[count++] = (struct epoll_event){.events = events, .data.u64 = e->data};
            take(e, c);
        }
    }
    return count;
}

static int wait_for(int descriptor, struct epoll_event *events, int most, int64_t milliseconds,
                    const void *here) {
    if (most <= 0) {
        return fail_with(EINVAL);
    }
    epoll_set s = {.set = {.epoll = descriptor}, .most = most};
    int count = poll_wait(&s.set, look, milliseconds, here);
    if (count > 0) {
        CHECK(count <= most && count <= FILES_MAX);
        writes(events, (size_t)count * sizeof *events, here);
        memcpy(events, s.found, (size_t)count * sizeof *events);
    }
    return count;
}

int heddle_epoll_wait(int descriptor, struct epoll_event *events, int most, int timeout) {
    return wait_for(descriptor, events, most, timeout, HERE);
}

int heddle_epoll_pwait(int descriptor, struct epoll_event *events, int most, int timeout,
                       const sigset_t *mask) {
    poll_require_mask(mask, HERE);
    return wait_for(descriptor, events, most, timeout, HERE);
}

int heddle_epoll_pwait2(int descriptor, struct epoll_event *events, int most,
                        const struct timespec *timeout, const sigset_t *mask) {
    poll_require_mask(mask, HERE);
    return wait_for(descriptor, events, most, poll_milliseconds(timeout, HERE), HERE);
}
