#define _GNU_SOURCE
#include "targets/runtime/libc/channels.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>

#include "targets/runtime/kernel/ranges.h"
#include "targets/runtime/kernel/signals.h"
#include "targets/runtime/kernel/state.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/libc/epoll.h"
#include "targets/runtime/libc/files.h"
#include "targets/runtime/memory/hidden.h"
#include "targets/runtime/sync/cancel.h"

static uint32_t objects[CHANNELS_MAX]; /* in footprints; they outlive executions */
static unsigned char bytes[CHANNELS_MAX][CHANNEL_SIZE];
static bool used;  /* in some execution */
static bool moved; /* a descriptor came to mean something else while its close was pending */

void channels_expect(void) {
    used = true;
    hidden_expect(HIDDEN_FILES);
}

void channels_forget(void) {
    memset(objects, 0, sizeof objects);
    used = moved = false;
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

static memory_access access_of(const channel *c, uint8_t mode) {
    return (memory_access){.object = object_of(c), .bytes = ACCESS_ALL_BYTES, .mode = mode};
}

static open_file *file_of(int descriptor) {
    open_file *file = files_at(descriptor);
    return file && file->open && (file->source || file->target) ? file : NULL;
}

bool channels_is(int descriptor) {
    return used && file_of(descriptor);
}

channel *channels_source(int descriptor) {
    const open_file *file = used ? file_of(descriptor) : NULL;
    return file ? channel_at(file->source) : NULL;
}

static channel *source_of(int descriptor) {
    const open_file *file = file_of(descriptor);
    return file ? channel_at(file->source) : NULL;
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
        accesses[i + 1] = access_of(&table()->channels[i], ACCESS_READ_WRITE);
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
            *c = (channel){.readers = 1, .writers = 1, .is_event = is_event};
            return i + 1;
        }
    }
    errno = EMFILE;
    return 0;
}

static void release(runtime_thread *t, channel *c) {
    c->clock = race_release_row(t, c->clock);
}

void channels_shut(runtime_thread *t, open_file *file, bool reading, bool writing) {
    channel *source = reading ? channel_at(file->source) : NULL;
    channel *target = writing ? channel_at(file->target) : NULL;
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
        channels_shut(t, last, true, true);
        *last = (open_file){0};
    }
}

bool channels_close(int descriptor, const void *here) {
    runtime_thread *t = runtime.current;
    const channel *source = source_of(descriptor), *target = target_of(descriptor);
    memory_access accesses[3] = {{.object = hidden_object(HIDDEN_FILES),
                                  .bytes = ACCESS_ALL_BYTES,
                                  .mode = ACCESS_READ_WRITE}};
    uint32_t count = channels_add_accesses(file_of(descriptor), ACCESS_READ_WRITE, accesses, 1);
    step_on_files(moved ? all_footprint() : footprint_of(accesses, count), here);
    if (!moved && (source_of(descriptor) != source || target_of(descriptor) != target)) {
        moved = true;
        target_make_stale(space.target);
    }
    open_file *file = file_of(descriptor);
    if (!file) {
        return false;
    }
    channels_drop(t, descriptor);
    return true;
}

/* ---- reading and writing ---- */

static bool can_read(const channel *c) {
    return c->count || !c->writers;
}

/* Few bytes are written all at once. */
static bool can_write(const channel *c, size_t size) {
    size_t room = size <= CHANNEL_ATOMIC && size ? size : 1;
    return !c->readers || c->is_event || CHANNEL_SIZE - c->count >= room;
}

/* No longer of a channel, or not yet: the step is one on the files. */
static void refresh_transfer(runtime_thread *t, const channel *c, bool ready) {
    bool waits = t->transfer_waits && !(c && file_of(t->descriptor)->does_not_block);
    t->pending.flags = OPERATION_VARIES | OPERATION_BLOCKS;
    t->pending.footprint =
        c ? footprint_single(access_of(c, ACCESS_READ_WRITE))
          : footprint_single((memory_access){.object = hidden_object(HIDDEN_FILES),
                                             .bytes = ACCESS_ALL_BYTES,
                                             .mode = ACCESS_READ_WRITE});
    t->pending.object = footprint_access(t->pending.footprint, 0).object;
    runtime_set_enabled(t, !c || ready || !waits);
    cancel_refresh(t);
}

static void refresh_read(runtime_thread *t) {
    const channel *c = source_of(t->descriptor);
    refresh_transfer(t, c, c && can_read(c));
}

static void refresh_write(runtime_thread *t) {
    const channel *c = target_of(t->descriptor);
    refresh_transfer(t, c, c && can_write(c, t->transfer_size));
}

static const refresh_rule read_rule = {.update = refresh_read};
static const refresh_rule write_rule = {.update = refresh_write};

static void step_on_channel(int descriptor, size_t size, bool waits, enum operation_kind kind,
                            const refresh_rule *rule, const void *here) {
    runtime_thread *t = runtime.current;
    uint32_t location = location_of(here);
    section_forbid(t, "a pipe or socket", location);
    runtime_prepare(t, kind, hidden_object(HIDDEN_FILES), FOOTPRINT_EMPTY, location);
    t->tail_used = true;
    t->descriptor = descriptor;
    t->transfer_size = size;
    t->transfer_waits = waits;
    t->pending.flags |= OPERATION_VARIES | OPERATION_BLOCKS;
    t->refresh = rule;
    runtime_park(t);
    cancel_check(t);
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

bool channels_read(int descriptor, void *place, size_t size, bool waits, ssize_t *result,
                   const void *here) {
    step_on_channel(descriptor, size, waits, OPERATION_READ_FROM, &read_rule, here);
    channel *c = source_of(descriptor);
    if (!c) {
        *result = fail(EBADF);
        return file_of(descriptor) != NULL;
    }
    if (!can_read(c) || c->is_epoll || (c->is_event && size < sizeof c->value)) {
        *result = fail(can_read(c) ? EINVAL : EAGAIN);
        return true;
    }
    log_channel(c);
    race_acquire_row(runtime.current, c->clock);
    c->leavings += c->count != 0; /* nothing leaves at the end of the stream */
    *result = take_to(c, place, size, here);
    return true;
}

static ssize_t put(channel *c, const unsigned char *data, size_t size) {
    unsigned char *queue = bytes[number_of(c)];
    size_t room = CHANNEL_SIZE - c->count, written = size < room ? size : room;
    CHECK(c->count + written <= CHANNEL_SIZE && !c->is_event);
    undo_write((uintptr_t)queue + c->count, written);
    memcpy(queue + c->count, data, written);
    c->count += (uint32_t)written;
    return (ssize_t)written;
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

/* One step. False: the descriptor is not that of a channel. */
static bool write_some(int descriptor, const void *data, size_t size, bool waits, ssize_t *result,
                       const void *here) {
    runtime_thread *t = runtime.current;
    step_on_channel(descriptor, size, waits, OPERATION_WRITE_TO, &write_rule, here);
    channel *c = target_of(descriptor);
    if (!c) {
        *result = fail(EBADF);
        return file_of(descriptor) != NULL;
    }
    if (!c->readers || !can_write(c, size)) {
        *result = fail(c->readers ? EAGAIN : EPIPE);
        return true;
    }
    log_channel(c);
    release(t, c);
    c->arrivals++;
    *result = !c->is_event             ? put(c, data, size)
              : size < sizeof c->value ? fail(EINVAL)
                                       : put_event(c, data, here);
    t->value = (uint64_t)*result;
    return true;
}

bool channels_write(int descriptor, const void *data, size_t size, bool waits, bool signals,
                    ssize_t *result, const void *here) {
    size_t done = 0;
    ssize_t written;
    do {
        if (!write_some(descriptor, (const char *)data + done, size - done, waits, &written,
                        here)) {
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

/* ---- poll ---- */

uint32_t channels_add_accesses(const open_file *file, uint8_t mode, memory_access *accesses,
                               uint32_t count) {
    const channel *source = file ? channel_at(file->source) : NULL;
    const channel *target = file ? channel_at(file->target) : NULL;
    if (source) {
        accesses[count++] = access_of(source, mode);
    }
    if (target && target != source) {
        accesses[count++] = access_of(target, mode);
    }
    return count;
}

short channels_new_events(const open_file *file, short events, uint32_t arrivals,
                          uint32_t leavings) {
    const channel *source = channel_at(file->source), *target = channel_at(file->target);
    short out = POLLOUT | POLLWRNORM | POLLERR;
    short in_news = source && source->arrivals != arrivals ? (short)~out : 0;
    short out_news = target && target->leavings != leavings ? out : 0;
    return (short)(events & (in_news | out_news));
}

short channels_events(const open_file *file, short asked) {
    const channel *source = channel_at(file->source), *target = channel_at(file->target);
    short events = 0;
    if (!source && !target) {
        return POLLHUP; /* both directions of a socket are shut */
    }
    if (source && source->count) {
        events |= POLLIN | POLLRDNORM;
    }
    if (source && !source->writers) {
        events |= POLLRDHUP | (target && target->readers ? POLLIN : POLLHUP);
    }
    if (target && can_write(target, CHANNEL_ATOMIC)) {
        events |= POLLOUT | POLLWRNORM;
    }
    if (target && !target->readers) {
        events |= POLLERR;
    }
    return (short)(events & (asked | POLLHUP | POLLERR));
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
    fprintf(out, "%s %u", c->is_epoll ? "epoll" : c->is_event ? "eventfd" : "pipe", number + 1);
    return true;
}

static size_t bytes_of(const channel *c) {
    return c->is_event || c->is_epoll ? 0 : c->count;
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
