#define _GNU_SOURCE
#include "targets/runtime/libc/channels.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>

#include "targets/runtime/kernel/ranges.h"
#include "targets/runtime/kernel/signals.h"
#include "targets/runtime/kernel/state.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/libc/channel_messages.h"
#include "targets/runtime/libc/epoll.h"
#include "targets/runtime/libc/files.h"
#include "targets/runtime/libc/sockets.h"
#include "targets/runtime/memory/hidden.h"
#include "targets/runtime/sync/cancel.h"
#include "targets/runtime/sync/clock.h"
#include "targets/runtime/sync/timeout.h"

static uint32_t objects[CHANNELS_MAX]; /* in footprints; they outlive executions */
static unsigned char bytes[CHANNELS_MAX][CHANNEL_SIZE];
static bool used;   /* in some execution */
static bool moved;  /* a descriptor came to mean something else while its close was pending */
static bool reused; /* a connection got the number of a descriptor that was closed */

void channels_expect(void) {
    used = true;
    hidden_expect(HIDDEN_FILES);
}

void channels_forget(void) {
    memset(objects, 0, sizeof objects);
    used = moved = reused = false;
}

bool channels_are_used(void) {
    return used;
}

static open_files *table(void) {
    return hidden_data(HIDDEN_FILES);
}

static channel *channel_at(uint32_t number) {
    CHECK(number <= CHANNELS_MAX);
    return number ? &table()->channels[number - 1] : NULL;
}

channel *channels_at(uint32_t number) {
    CHECK(number);
    return channel_at(number);
}

static uint32_t number_of(const channel *c) {
    return (uint32_t)(c - table()->channels);
}

static uint32_t object_of(const channel *c) {
    uint32_t *object = &objects[number_of(c)];
    if (!*object) {
        *object = space_new_number((uintptr_t)c);
    }
    return *object;
}

memory_access channels_access(const channel *c, uint8_t mode) {
    return (memory_access){.object = object_of(c), .bytes = ACCESS_ALL_BYTES, .mode = mode};
}

static open_file *file_of(int descriptor) {
    open_file *file = files_at(descriptor);
    return file && file->open && (file->source || file->target) ? file : NULL;
}

bool channels_is(int descriptor) {
    return used && file_of(descriptor);
}

static channel *source_of(int descriptor) {
    const open_file *file = file_of(descriptor);
    return file ? channel_at(file->source) : NULL;
}

channel *channels_source(int descriptor) {
    return used ? source_of(descriptor) : NULL;
}

static channel *target_of(int descriptor) {
    const open_file *file = file_of(descriptor);
    return file ? channel_at(file->target) : NULL;
}

static void log_channel(channel *c) {
    undo_write((uintptr_t)c, sizeof *c);
}

static ssize_t fail(int error) {
    errno = error;
    return -1;
}

/* ---- creating and closing ---- */

static footprint all_footprint(void) {
    memory_access accesses[CHANNELS_MAX + 1];
    accesses[0] = (memory_access){.object = hidden_object(HIDDEN_FILES),
                                  .bytes = ACCESS_ALL_BYTES,
                                  .mode = ACCESS_READ_WRITE};
    for (uint32_t i = 0; i < CHANNELS_MAX; i++) {
        accesses[i + 1] = channels_access(&table()->channels[i], ACCESS_READ_WRITE);
    }
    return footprint_of(accesses, CHANNELS_MAX + 1);
}

static void step_on_files(footprint f, const void *here) {
    runtime_thread *t = runtime.current;
    section_forbid(t, "a pipe or socket", location_of(here));
    runtime_prepare(t, OPERATION_CHANGE, hidden_object(HIDDEN_FILES), f, location_of(here));
    runtime_park(t);
    hidden_log(HIDDEN_FILES);
}

void channels_create_step(const void *here) {
    CHECK(used); /* the program refers to what calls this */
    step_on_files(all_footprint(), here);
}

uint32_t channels_new(bool is_event) {
    for (uint32_t i = 0; i < CHANNELS_MAX; i++) {
        channel *c = &table()->channels[i];
        if (!c->readers && !c->writers) {
            *c = (channel){
                .readers = 1, .writers = 1, .is_event = is_event, .capacity = CHANNEL_SIZE};
            return i + 1;
        }
    }
    errno = EMFILE;
    return 0;
}

static void release(runtime_thread *t, channel *c) {
    c->clock = race_release_row(t, c->clock);
}

static void shut(runtime_thread *t, channel *c) {
    if (c && !c->is_shut) {
        release(t, c);
        c->is_shut = true;
        c->arrivals++;
        c->leavings++;
    }
}

/* Between threads of one process it does not matter which of the ends has ended a direction. */
void channels_shut(runtime_thread *t, const open_file *file, bool reading, bool writing) {
    CHECK(file->socket);
    shut(t, reading ? channel_at(file->source) : NULL);
    shut(t, writing ? channel_at(file->target) : NULL);
}

bool channels_has_ended(const channel *c) {
    return c->is_shut || (!c->writers && !c->is_queue);
}

bool channels_is_broken(const channel *c) {
    return c->is_shut || (!c->readers && !c->is_queue);
}

void channels_leave(runtime_thread *t, open_file *file) {
    channel *source = channel_at(file->source), *target = channel_at(file->target);
    if (source) {
        CHECK(source->readers);
        source->readers--;
        source->leavings++;
        file->source = 0;
    }
    if (target) {
        CHECK(target->writers);
        release(t, target);
        target->writers--;
        target->arrivals++;
        file->target = 0;
    }
}

void channels_drop(runtime_thread *t, int descriptor) {
    open_file *last = files_drop(descriptor);
    if (last) {
        epoll_forget(last);
        sockets_forget(t, last);
        channels_leave(t, last);
        *last = (open_file){0};
    }
}

/* Of a step that changes what a descriptor of this file, or of none, means: it also concerns who
 * uses the file's channels by that descriptor, or by an epoll. */
static footprint footprint_of_file(const open_file *file) {
    memory_access accesses[FILES_MAX + 3] = {{.object = hidden_object(HIDDEN_FILES),
                                              .bytes = ACCESS_ALL_BYTES,
                                              .mode = ACCESS_READ_WRITE}};
    uint32_t count = channels_add_accesses(file, ACCESS_READ_WRITE, accesses, 1);
    return footprint_of(accesses, epoll_add_watchers(file, accesses, count));
}

static void learn(bool *what) {
    if (!*what) {
        *what = true;
        target_make_stale(space.target);
    }
}

bool channels_close(int descriptor, const void *here) {
    runtime_thread *t = runtime.current;
    const channel *source = source_of(descriptor);
    bool all = moved || (source && source->is_listener);
    footprint expected = footprint_of_file(file_of(descriptor));
    step_on_files(all ? all_footprint() : expected, here);
    if (footprint_of_file(file_of(descriptor)) != expected) {
        learn(&moved);
    }
    open_file *file = file_of(descriptor);
    if (!file) {
        return false;
    }
    channels_drop(t, descriptor);
    return true;
}

open_file *channels_open(uint32_t source, uint32_t target, const void *here) {
    open_file ends = {.source = (uint8_t)source, .target = (uint8_t)target};
    CHECK(source && target && source != target);
    step_on_files(footprint_of_file(reused ? &ends : NULL), here);
    open_file *file = files_new();
    file->source = ends.source;
    file->target = ends.target;
    if (table()->closed & UINT64_C(1) << files_number(file)) {
        learn(&reused);
    }
    return file;
}

/* ---- reading and writing ---- */

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

/* No longer of a channel, or not yet: the step is one on the files. */
static void refresh_transfer(runtime_thread *t, enum operation_kind kind, const channel *c,
                             bool ready) {
    bool waits = t->transfer_waits && !(c && file_of(t->descriptor)->does_not_block);
    timeout_start_over(t, kind);
    t->pending.footprint =
        c ? footprint_single(channels_access(c, ACCESS_READ_WRITE))
          : footprint_single((memory_access){.object = hidden_object(HIDDEN_FILES),
                                             .bytes = ACCESS_ALL_BYTES,
                                             .mode = ACCESS_READ_WRITE});
    t->pending.object = footprint_access(t->pending.footprint, 0).object;
    runtime_set_enabled(t, !c || ready || !waits);
    cancel_refresh(t);
    if (!operation_enabled(&t->pending)) {
        timeout_refresh(t);
    }
}

static void refresh_read(runtime_thread *t) {
    const channel *c = source_of(t->descriptor);
    refresh_transfer(t, OPERATION_READ_FROM, c,
                     c && can_read(c, t->transfer_size, t->transfer_accepts));
}

static void refresh_write(runtime_thread *t) {
    const channel *c = target_of(t->descriptor);
    refresh_transfer(t, OPERATION_WRITE_TO, c, c && channels_can_write(c, t->transfer_size));
}

static const refresh_rule read_rule = {.update = refresh_read, .before_step = true};
static const refresh_rule write_rule = {.update = refresh_write, .before_step = true};

/* True: it has timed out, or was a try in place of a wait and is not ready. */
static bool step_on_channel(int descriptor, size_t size, channel_wait wait, bool is_read,
                            const void *here) {
    runtime_thread *t = runtime.current;
    uint32_t location = location_of(here);
    section_forbid(t, "a pipe or socket", location);
    bool tries = wait.times_out && timeout_is_try(t, wait.deadline, location);
    if (wait.times_out) {
        timeout_set(t, wait.deadline);
    }
    runtime_prepare(t, is_read ? OPERATION_READ_FROM : OPERATION_WRITE_TO,
                    hidden_object(HIDDEN_FILES), FOOTPRINT_EMPTY, location);
    t->tail_used = true;
    t->descriptor = descriptor;
    t->transfer_size = size;
    t->transfer_waits = wait.waits && !tries;
    t->transfer_accepts = wait.accepts;
    t->pending.flags |= OPERATION_VARIES | OPERATION_BLOCKS;
    t->refresh = is_read ? &read_rule : &write_rule;
    runtime_park(t);
    cancel_check(t);
    bool timed_out = timeout_clear(t);
    const channel *c = is_read ? source_of(descriptor) : target_of(descriptor);
    bool ready = !c || (is_read ? can_read(c, size, wait.accepts) : channels_can_write(c, size));
    bool late = wait.times_out && !ready && (timed_out || tries);
    if (late) {
        clock_reach(wait.deadline);
        errno = ETIMEDOUT;
    }
    return late;
}

/* The bytes leave the channel at once; the program's memory is written after that. */
static ssize_t take(channel *c, size_t size, unsigned char *to) {
    unsigned char *queue = bytes[number_of(c)];
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
                                 ssize_t *result) {
    const open_file *file = files_at(descriptor);
    if (file && file->open && file->socket) {
        *result = fail(accepts ? EINVAL : file->family == AF_UNIX ? local : error);
        return true;
    }
    *result = fail(EBADF);
    return file_of(descriptor);
}

bool channels_receive(int descriptor, void *place, size_t size, channel_wait wait, ssize_t *result,
                      const void *here) {
    if (step_on_channel(descriptor, size, wait, true, here)) {
        *result = -1;
        return true;
    }
    channel *c = source_of(descriptor);
    if (!c) {
        return fail_without_channel(descriptor, wait.accepts, ENOTCONN, EINVAL, result);
    }
    int error = refusal(c, size, wait.accepts);
    if (error || !can_read(c, size, wait.accepts)) {
        *result = fail(error ? error : EAGAIN);
        return true;
    }
    log_channel(c);
    race_acquire_row(runtime.current, c->clock);
    c->leavings += c->count != 0; /* nothing leaves at the end of the stream */
    *result = c->has_messages && c->count
                  ? channel_messages_take(c, bytes[number_of(c)], place, size, wait.priority, here)
                  : take_to(c, place, size, here);
    return true;
}

bool channels_read(int descriptor, void *place, size_t size, bool waits, ssize_t *result,
                   const void *here) {
    return channels_receive(descriptor, place, size, (channel_wait){.waits = waits}, result, here);
}

static ssize_t put(channel *c, const unsigned char *data, size_t size) {
    unsigned char *queue = bytes[number_of(c)];
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
        return fail(EINVAL);
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
        return channel_messages_put(c, bytes[number_of(c)], data, size, priority ? *priority : 0,
                                    here);
    }
    return !c->is_event             ? put(c, data, size)
           : size < sizeof c->value ? fail(EINVAL)
                                    : put_event(c, data, here);
}

bool channels_send(int descriptor, const void *data, size_t size, channel_wait wait,
                   ssize_t *result, const void *here) {
    runtime_thread *t = runtime.current;
    if (step_on_channel(descriptor, size, wait, false, here)) {
        *result = -1;
        return true;
    }
    channel *c = target_of(descriptor);
    if (!c) {
        return fail_without_channel(descriptor, false, EPIPE, ENOTCONN, result);
    }
    bool broken = channels_is_broken(c);
    if (broken || !channels_can_write(c, size)) {
        *result = fail(broken ? EPIPE : EAGAIN);
        return true;
    }
    log_channel(c);
    release(t, c);
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
    } while (written > 0 && done < size && waits && !file_of(descriptor)->does_not_block);
    if (written < 0 && errno == EPIPE && signals) {
        signals_raise(SIGPIPE, here);
        errno = EPIPE;
    }
    *result = done ? (ssize_t)done : written;
    return true;
}

/* ---- reports and states ---- */

bool channels_find(uint32_t object, uint32_t *number) {
    for (uint32_t i = 0; object && i < CHANNELS_MAX; i++) {
        if (objects[i] == object) {
            *number = i;
            return true;
        }
    }
    return false;
}

uint32_t channels_object(uint32_t number) {
    CHECK(number < CHANNELS_MAX);
    return object_of(&table()->channels[number]);
}

bool channels_describe(uint32_t object, FILE *out) {
    uint32_t number;
    if (!channels_find(object, &number)) {
        return false;
    }
    const channel *c = &table()->channels[number];
    const char *name = c->is_epoll      ? "epoll"
                       : c->is_event    ? "eventfd"
                       : c->is_queue    ? "message queue"
                       : c->is_listener ? "socket"
                                        : "pipe";
    fprintf(out, "%s %u", name, number + 1);
    return true;
}

static size_t bytes_of(const channel *c) {
    return c->is_event || c->is_epoll ? 0 : c->has_messages ? c->value : c->count;
}

void channels_pass(struct state_cursor *c) {
    for (uint32_t i = 0; used && i < CHANNELS_MAX; i++) {
        state_pass(c, bytes[i], bytes_of(&table()->channels[i]));
    }
}

void channels_visit(void (*visit)(const char *name, uint32_t number, const void *, size_t)) {
    for (uint32_t i = 0; i < CHANNELS_MAX; i++) {
        const channel *c = &table()->channels[i];
        visit("bytes of a channel", i, bytes[i], bytes_of(c));
    }
}
