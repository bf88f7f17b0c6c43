/* Reads and writes of channels: steps that wait until there is something, or room for it. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>

#include "targets/runtime/kernel/fail.h"
#include "targets/runtime/kernel/ranges.h"
#include "targets/runtime/kernel/signals.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/libc/channel_messages.h"
#include "targets/runtime/libc/channel_timers.h"
#include "targets/runtime/libc/channels.h"
#include "targets/runtime/libc/files.h"
#include "targets/runtime/libc/sockets.h"
#include "targets/runtime/memory/hidden.h"
#include "targets/runtime/sync/cancel.h"
#include "targets/runtime/sync/clock.h"
#include "targets/runtime/sync/timeout.h"

static void log_channel(channel *c) {
    undo_write((uintptr_t)c, sizeof *c);
}

/* What a read that cannot succeed fails with at once, or 0: there is no room for a message or a
 * counter, or a socket that listens is read, or one that does not is to accept. */
static int refusal(const channel *c, size_t size, bool accepts) {
    if (c->is_queue && size < c->message_size) {
        return EMSGSIZE;
    }
    if (c->is_listener && !accepts) {
        return ENOTCONN;
    }
    bool small = c->is_event && size < sizeof c->value;
    return c->is_epoll || small || (accepts && !c->is_listener) ? EINVAL : 0;
}

static bool can_read(const channel *c, size_t size, bool accepts) {
    return c->count || channels_has_ended(c) || refusal(c, size, accepts);
}

/* Few bytes are written all at once. */
bool channels_can_write(const channel *c, size_t size) {
    size_t room = size <= CHANNEL_ATOMIC && size ? size : 1;
    if (c->has_messages) {
        return channel_messages_fit(c, size);
    }
    return channels_is_broken(c) || c->is_event || c->capacity - c->count >= room;
}

/* After a step that waits, or not: the timer has expired, if it was armed. */
static void look_at_timer(runtime_thread *t, int descriptor, bool timed_out) {
    channel *c = channels_source(descriptor);
    uint64_t timer = channel_timer_next(c);
    bool waits = t->transfer_waits && c && !channels_file(descriptor)->does_not_block;
    CHECK(!timed_out || !waits || timer != DEADLINE_NONE || !c->is_timer);
    if (timer != DEADLINE_NONE) {
        if (waits && !c->count && (timed_out || timer > t->time)) {
            clock_reach(timer);
        } else if (!waits && !c->count && timer > t->time) {
            clock_miss();
        }
        channel_timer_advance(c, t->time);
    }
}

/* No longer of a channel, or not yet: the step is one on the files. */
static void refresh_transfer(runtime_thread *t, enum operation_kind kind, const channel *c,
                             bool ready) {
    bool waits = t->transfer_waits && !(c && channels_file(t->descriptor)->does_not_block);
    timeout_start_over(t, kind);
    t->pending.footprint =
        c ? footprint_single(channels_access(c, ACCESS_READ_WRITE))
          : footprint_single((memory_access){.object = hidden_object(HIDDEN_FILES),
                                             .bytes = ACCESS_ALL_BYTES,
                                             .mode = ACCESS_READ_WRITE});
    t->pending.object = footprint_access(t->pending.footprint, 0).object;
    runtime_set_enabled(t,
                        !c || ready || !waits || channel_timer_may_expire(channel_timer_next(c)));
    cancel_refresh(t);
    if (!operation_enabled(&t->pending)) {
        timeout_refresh(t);
    }
}

static void refresh_read(runtime_thread *t) {
    const channel *c = channels_source(t->descriptor);
    refresh_transfer(t, OPERATION_READ_FROM, c,
                     c && (can_read(c, t->transfer_size, t->transfer_accepts) ||
                           channel_timer_is_due(c, t->time)));
}

static void refresh_write(runtime_thread *t) {
    const channel *c = channels_target(t->descriptor);
    refresh_transfer(t, OPERATION_WRITE_TO, c, c && channels_can_write(c, t->transfer_size));
}

static uint64_t next_timer(const runtime_thread *t) {
    return channel_timer_next(channels_source(t->descriptor));
}

static const refresh_rule read_rule = {
    .update = refresh_read, .before_step = true, .timer = next_timer};
static const refresh_rule write_rule = {.update = refresh_write, .before_step = true};

/* A socket whose reads or writes end after some time. */
static channel_wait wait_of_socket(int descriptor, channel_wait wait, bool is_read) {
    const open_file *file = channels_file(descriptor);
    uint64_t span = !file || wait.times_out || !wait.waits ? 0
                    : is_read                              ? file->receive_ns
                                                           : file->send_ns;
    if (span && !file->does_not_block) {
        wait.times_out = true;
        wait.span = span;
    }
    return wait;
}

/* True: it has timed out, or was a try in place of a wait and is not ready. */
static bool step_on_channel(int descriptor, size_t size, channel_wait wait, bool is_read,
                            const void *here) {
    runtime_thread *t = runtime.current;
    uint32_t location = location_of(here);
    section_forbid(t, "a pipe or socket", location);
    uint64_t end = wait.span ? DEADLINE_NONE : wait.deadline; /* what changes is no local state */
    bool tries = wait.times_out && timeout_is_try(t, end, location);
    if (wait.times_out) {
        timeout_set(t, wait.span ? clock_after(wait.span) : wait.deadline);
    }
    runtime_prepare(t, is_read ? OPERATION_READ_FROM : OPERATION_WRITE_TO,
                    hidden_object(HIDDEN_FILES), FOOTPRINT_EMPTY, location);
    t->tail_used = true;
    t->descriptor = descriptor;
    t->transfer_size = size;
    t->transfer_waits = wait.waits && !tries;
    t->transfer_accepts = wait.accepts;
    t->took_nothing = false; /* yet; a cancelled thread has taken its step, too */
    t->pending.flags |= OPERATION_VARIES | OPERATION_BLOCKS;
    t->refresh = is_read ? &read_rule : &write_rule;
    runtime_park(t);
    cancel_check(t);
    bool timed_out = timeout_clear(t);
    if (is_read) {
        look_at_timer(t, descriptor, timed_out);
    }
    const channel *c = is_read ? channels_source(descriptor) : channels_target(descriptor);
    bool ready = !c || (is_read ? can_read(c, size, wait.accepts) : channels_can_write(c, size));
    bool late = wait.times_out && !ready && (timed_out || tries);
    if (late) {
        clock_reach(t->deadline);
        errno = wait.span ? EAGAIN : ETIMEDOUT;
    }
    return late;
}

/* The bytes leave the channel at once; the program's memory is written after that. */
static ssize_t take(channel *c, size_t size, unsigned char *to) {
    unsigned char *queue = channels_bytes(c);
    size_t taken = size < c->count ? size : c->count;
    CHECK(c->count <= CHANNEL_SIZE && !c->is_event);
    memcpy(to, queue, taken);
    undo_write((uintptr_t)queue, c->count);
    memmove(queue, queue + taken, c->count - taken);
    c->count -= (uint32_t)taken;
    return (ssize_t)taken;
}

static ssize_t take_event(channel *c, unsigned char *to) {
    uint64_t value = c->counts_down ? 1 : c->value;
    c->value -= value;
    c->count = c->value ? sizeof value : 0;
    memcpy(to, &value, sizeof value);
    return sizeof value;
}

/* At most CHANNEL_ATOMIC bytes. */
static __attribute__((noinline)) ssize_t take_to(channel *c, void *place, size_t size,
                                                 const void *here) {
    unsigned char taken[CHANNEL_ATOMIC];
    size = size < sizeof taken ? size : sizeof taken;
    ssize_t count = c->is_event ? take_event(c, taken) : take(c, size, taken);
    runtime.current->value = (uint64_t)count;
    writes(place, (size_t)count, here);
    memcpy(place, taken, (size_t)count);
    return count;
}

/* A socket that is not connected: one of these errors, the second for AF_UNIX. False: it is no
 * channel at all. */
static bool fail_without_channel(int descriptor, bool accepts, int error, int local,
                                 ssize_t *result, const void *here) {
    const open_file *file = files_at(descriptor);
    sockets_refuse_datagram(file, here);
    if (file && file->open && file->socket) {
        *result = fail_with(accepts ? EINVAL : file->family == AF_UNIX ? local : error);
        return true;
    }
    *result = fail_with(EBADF);
    return channels_file(descriptor);
}

bool channels_receive(int descriptor, void *place, size_t size, channel_wait wait, ssize_t *result,
                      const void *here) {
    runtime_thread *t = runtime.current;
    wait = wait_of_socket(descriptor, wait, true);
    t->took_nothing = step_on_channel(descriptor, size, wait, true, here);
    if (t->took_nothing) {
        *result = -1;
        return true;
    }
    channel *c = channels_source(descriptor);
    if (!c) {
        return fail_without_channel(descriptor, wait.accepts, ENOTCONN, EINVAL, result, here);
    }
    if (c->was_reset && (c->has_messages || !c->count)) {
        log_channel(c);
        race_acquire_row(t, c->clock);
        c->was_reset = false;
        *result = fail_with(ECONNRESET);
        return true;
    }
    int error = refusal(c, size, wait.accepts);
    if (error || !can_read(c, size, wait.accepts)) {
        t->took_nothing = !error;
        *result = fail_with(error ? error : EAGAIN);
        return true;
    }
    log_channel(c);
    race_acquire_row(t, c->clock);
    c->leavings += c->count != 0; /* nothing leaves at the end of the stream */
    *result = c->has_messages && c->count
                  ? channel_messages_take(c, channels_bytes(c), place, size, wait.priority, here)
                  : take_to(c, place, size, here);
    return true;
}

bool channels_read(int descriptor, void *place, size_t size, bool waits, ssize_t *result,
                   const void *here) {
    return channels_receive(descriptor, place, size, (channel_wait){.waits = waits}, result, here);
}

static ssize_t put(channel *c, const unsigned char *data, size_t size) {
    unsigned char *queue = channels_bytes(c);
    size_t room = c->capacity - c->count, written = size < room ? size : room;
    CHECK(c->count + written <= CHANNEL_SIZE && !c->is_event);
    undo_write((uintptr_t)queue + c->count, written);
    memcpy(queue + c->count, data, written);
    c->count += (uint32_t)written;
    return (ssize_t)written;
}

void channels_put(channel *c, const void *data, size_t size) {
    CHECK(put(c, data, size) == (ssize_t)size);
    c->arrivals++;
}

void channels_take(channel *c, void *place, size_t size) {
    CHECK(take(c, size, place) == (ssize_t)size);
}

static ssize_t put_event(channel *c, const unsigned char *data, const void *here) {
    uint64_t value;
    memcpy(&value, data, sizeof value);
    if (value == UINT64_MAX) {
        return fail_with(EINVAL);
    }
    if (value >= UINT64_MAX - c->value) {
        heddle_unsupported("an eventfd that overflows", here);
    }
    c->value += value;
    c->count = c->value ? sizeof value : 0;
    return sizeof value;
}

static ssize_t put_any(channel *c, const void *data, size_t size, const unsigned *priority,
                       const void *here) {
    if (c->has_messages) {
        return channel_messages_put(c, channels_bytes(c), data, size, priority ? *priority : 0,
                                    here);
    }
    return !c->is_event             ? put(c, data, size)
           : c->is_timer            ? fail_with(EINVAL)
           : size < sizeof c->value ? fail_with(EINVAL)
                                    : put_event(c, data, here);
}

bool channels_send(int descriptor, const void *data, size_t size, channel_wait wait,
                   ssize_t *result, const void *here) {
    runtime_thread *t = runtime.current;
    wait = wait_of_socket(descriptor, wait, false);
    if (step_on_channel(descriptor, size, wait, false, here)) {
        *result = -1;
        return true;
    }
    channel *c = channels_target(descriptor);
    if (!c) {
        return fail_without_channel(descriptor, false, EPIPE, ENOTCONN, result, here);
    }
    const channel *own = channels_source(descriptor);
    if (c->has_messages && own && own->was_reset) {
        heddle_unsupported("sending to a socket that was closed with unread messages", here);
    }
    bool broken = channels_is_broken(c);
    if (broken || !channels_can_write(c, size)) {
        *result = fail_with(broken ? EPIPE : EAGAIN);
        return true;
    }
    log_channel(c);
    channels_release(t, c);
    c->arrivals++;
    *result = put_any(c, data, size, wait.priority, here);
    t->value = (uint64_t)*result;
    return true;
}

bool channels_write(int descriptor, const void *data, size_t size, bool waits, bool signals,
                    ssize_t *result, const void *here) {
    size_t done = 0;
    ssize_t written;
    do {
        if (!channels_send(descriptor, (const char *)data + done, size - done,
                           (channel_wait){.waits = waits}, &written, here)) {
            return false;
        }
        done += written > 0 ? (size_t)written : 0;
    } while (written > 0 && done < size && waits && !channels_file(descriptor)->does_not_block);
    if (written < 0 && errno == EPIPE && signals) {
        signals_raise(SIGPIPE, here);
        errno = EPIPE;
    }
    *result = done ? (ssize_t)done : written;
    return true;
}
