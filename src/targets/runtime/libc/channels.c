#include "targets/runtime/libc/channels.h"

#include <errno.h>
#include <string.h>

#include "targets/runtime/kernel/ranges.h"
#include "targets/runtime/kernel/state.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/libc/epoll.h"
#include "targets/runtime/libc/files.h"
#include "targets/runtime/libc/sockets.h"
#include "targets/runtime/memory/hidden.h"

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

static channel *channel_at(uint32_t number) {
    CHECK(number <= CHANNELS_MAX);
    return number ? &files_table()->channels[number - 1] : NULL;
}

channel *channels_at(uint32_t number) {
    CHECK(number);
    return channel_at(number);
}

static uint32_t number_of(const channel *c) {
    return (uint32_t)(c - files_table()->channels);
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

open_file *channels_file(int descriptor) {
    open_file *file = files_at(descriptor);
    return file && file->open && (file->source || file->target) ? file : NULL;
}

bool channels_is(int descriptor) {
    return used && channels_file(descriptor);
}

channel *channels_source(int descriptor) {
    const open_file *file = used ? channels_file(descriptor) : NULL;
    return file ? channel_at(file->source) : NULL;
}

channel *channels_target(int descriptor) {
    const open_file *file = used ? channels_file(descriptor) : NULL;
    return file ? channel_at(file->target) : NULL;
}

unsigned char *channels_bytes(const channel *c) {
    return bytes[number_of(c)];
}

/* ---- creating and closing ---- */

static footprint all_footprint(void) {
    memory_access accesses[CHANNELS_MAX + 1];
    accesses[0] = (memory_access){.object = hidden_object(HIDDEN_FILES),
                                  .bytes = ACCESS_ALL_BYTES,
                                  .mode = ACCESS_READ_WRITE};
    for (uint32_t i = 0; i < CHANNELS_MAX; i++) {
        accesses[i + 1] = channels_access(&files_table()->channels[i], ACCESS_READ_WRITE);
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
    if (used) {
        step_on_files(all_footprint(), here);
    } else {
        files_step(here); /* there are none, and the program refers to nothing that makes one */
    }
}

uint32_t channels_new(bool is_event) {
    CHECK(used); /* the program refers to what calls this */
    for (uint32_t i = 0; i < CHANNELS_MAX; i++) {
        channel *c = &files_table()->channels[i];
        if (!c->readers && !c->writers) {
            *c = (channel){
                .readers = 1, .writers = 1, .is_event = is_event, .capacity = CHANNEL_SIZE};
            return i + 1;
        }
    }
    errno = EMFILE;
    return 0;
}

void channels_release(runtime_thread *t, channel *c) {
    c->clock = race_release_row(t, c->clock);
}

static void shut(runtime_thread *t, channel *c) {
    if (c && !c->is_shut) {
        channels_release(t, c);
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
        if (target && file->socket && !source->readers && source->count) {
            target->was_reset = true;
        }
        source->leavings++;
        file->source = 0;
    }
    if (target) {
        CHECK(target->writers);
        channels_release(t, target);
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
        *last = (open_file){.stream = last->stream};
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
    const channel *source = channels_source(descriptor);
    bool all = moved || (source && source->is_listener);
    footprint expected = footprint_of_file(channels_file(descriptor));
    step_on_files(all ? all_footprint() : expected, here);
    if (footprint_of_file(channels_file(descriptor)) != expected) {
        learn(&moved);
    }
    open_file *file = channels_file(descriptor);
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
    if (files_table()->closed & UINT64_C(1) << files_number(file)) {
        learn(&reused);
    }
    return file;
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
    return object_of(&files_table()->channels[number]);
}

bool channels_describe(uint32_t object, FILE *out) {
    uint32_t number;
    if (!channels_find(object, &number)) {
        return false;
    }
    const channel *c = &files_table()->channels[number];
    const char *name = c->is_epoll      ? "epoll"
                       : c->is_timer    ? "timer"
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
        state_pass(c, bytes[i], bytes_of(&files_table()->channels[i]));
    }
}

void channels_visit(void (*visit)(const char *name, uint32_t number, const void *, size_t)) {
    for (uint32_t i = 0; i < CHANNELS_MAX; i++) {
        const channel *c = &files_table()->channels[i];
        visit("bytes of a channel", i, bytes[i], bytes_of(c));
    }
}
