#include "targets/runtime/memory/hidden.h"

#include <stddef.h>
#include <string.h>

#include "base/bytes.h"
#include "targets/runtime/kernel/exit.h"
#include "targets/runtime/kernel/location.h"
#include "targets/runtime/kernel/signals.h"
#include "targets/runtime/kernel/state.h"
#include "targets/runtime/kernel/versions.h"
#include "targets/runtime/libc/files.h"
#include "targets/runtime/libc/variables.h"
#include "targets/runtime/memory/mapping_parts.h"
#include "targets/runtime/memory/space.h"
#include "targets/runtime/race/race.h"
#include "targets/runtime/sync/named_semaphore.h"
#include "targets/runtime/sync/pending_signals.h"
#include "targets/runtime/sync/section.h"

typedef struct part_state {
    uint32_t object;
    bool changes; /* in some execution */
    bool changed; /* in this one */
    /* How often it was accessed: where versions are kept (versions.h), accesses are updates of this
       number, so that one comes after the other, whatever the memory model. */
    uint64_t uses;
} part_state;

static part_state parts[HIDDEN_PART_COUNT];

/* Their memory; none: the part is only an object. */
static struct {
    exit_list exit;
    signal_actions signals;
    pending_signals pending;
    open_files files;
    variable_changes variables;
    named_semaphores semaphores;
    mapping_parts mappings;
} data;

static const struct {
    void *data;
    size_t size;
} places[HIDDEN_PART_COUNT] = {
    [HIDDEN_EXIT] = {&data.exit, sizeof data.exit},
    [HIDDEN_SIGNALS] = {&data.signals, sizeof data.signals},
    [HIDDEN_PENDING] = {&data.pending, sizeof data.pending},
    [HIDDEN_ENVIRONMENT] = {&data.variables, sizeof data.variables},
    [HIDDEN_SEMAPHORES] = {&data.semaphores, sizeof data.semaphores},
    [HIDDEN_MAPPINGS] = {&data.mappings, sizeof data.mappings},
    [HIDDEN_FILES] = {&data.files, sizeof data.files},
};

#define HIDDEN_NAME(part, name) [part] = name,
static const char *const names[HIDDEN_PART_COUNT] = {HIDDEN_PARTS(HIDDEN_NAME)};
#undef HIDDEN_NAME

void hidden_close(void) {
    memset(parts, 0, sizeof parts);
    memset(&data, 0, sizeof data);
}

void *hidden_data(enum hidden_part part) {
    CHECK(part < HIDDEN_PART_COUNT && places[part].data);
    return places[part].data;
}

/* Channels, and what is watched through them, are objects of their own. */
uint64_t hidden_value(enum hidden_part part) {
    CHECK(part < HIDDEN_PART_COUNT);
    size_t size = part == HIDDEN_FILES ? offsetof(open_files, channels) : places[part].size;
    return size ? bytes_checksum(places[part].data, size) : 0;
}

bool hidden_changes(enum hidden_part part) {
    return parts[part].changes;
}

void hidden_expect(enum hidden_part part) {
    parts[part].changes = true;
}

static void clear(enum hidden_part part) {
    if (places[part].size) {
        memset(places[part].data, 0, places[part].size);
    }
    if (part == HIDDEN_MAPPINGS) {
        mapping_parts_reset();
    }
    parts[part].changed = false;
}

void hidden_reset(void) {
    for (uint32_t i = 0; i < HIDDEN_PART_COUNT; i++) {
        CHECK(!parts[i].changed || parts[i].changes);
        parts[i].uses = 0;
        if (parts[i].changed) {
            clear(i);
        }
    }
}

uint32_t hidden_object(enum hidden_part part) {
    if (!parts[part].object) {
        parts[part].object = space_new_number((uintptr_t)names[part]);
    }
    return parts[part].object;
}

bool hidden_counts(uintptr_t address) {
    return address - (uintptr_t)parts < sizeof parts;
}

bool hidden_find(uint32_t object, enum hidden_part *part) {
    for (uint32_t i = 0; i < HIDDEN_PART_COUNT; i++) {
        if (object && parts[i].object == object) {
            *part = i;
            return true;
        }
    }
    return false;
}

static void announce(enum hidden_part part, uint8_t mode, const void *return_address) {
    runtime_thread *t = runtime.current;
    if (!t) {
        return;
    }
    CHECK(part < HIDDEN_PART_COUNT && (mode == ACCESS_READ || parts[part].changes));
    uint32_t location = location_of(return_address), object = hidden_object(part);
    footprint f = footprint_single((memory_access){.object = object, .bytes = 0xff, .mode = mode});
    if (t->section_depth) {
        section_access(t, (uintptr_t)places[part].data, places[part].size, mode, f, location);
        return;
    }
    bool reads = mode == ACCESS_READ && !runtime.versions;
    versions_announce(&parts[part].uses, sizeof parts[part].uses, VERSION_fetch_add, 1,
                      __ATOMIC_ACQ_REL, __ATOMIC_ACQ_REL);
    runtime_prepare(t, reads ? OPERATION_LOOK : OPERATION_CHANGE, object, f, location);
    runtime_park(t);
    parts[part].uses += runtime.versions;
    race_atomic(t, f, mode, __ATOMIC_SEQ_CST, location);
}

void hidden_read(enum hidden_part part, const void *return_address) {
    announce(part, ACCESS_READ, return_address);
}

/* What is done to the environment shows in a variable of the program, too, which is not logged. */
static void log_change(enum hidden_part part) {
    if (part == HIDDEN_ENVIRONMENT) {
        undo_forget();
    }
    undo_write((uintptr_t)&parts[part].changed, sizeof parts[part].changed);
    if (places[part].size) {
        undo_write((uintptr_t)places[part].data, places[part].size);
    }
}

void hidden_log(enum hidden_part part) {
    log_change(part);
    parts[part].changed = true;
}

void hidden_change(enum hidden_part part, const void *return_address) {
    if (!parts[part].changes) {
        parts[part].changes = true;
        target_make_stale(space.target);
    }
    announce(part, ACCESS_READ_WRITE, return_address);
    hidden_log(part);
}

bool hidden_describe(uint32_t object, FILE *out) {
    enum hidden_part part;
    if (!hidden_find(object, &part)) {
        return false;
    }
    fputs(names[part], out);
    return true;
}

void hidden_visit(void (*visit)(const char *name, uint32_t number, const void *, size_t)) {
    for (uint32_t i = 0; i < HIDDEN_PART_COUNT; i++) {
        visit("hidden.changed", i, &parts[i].changed, sizeof parts[i].changed);
        if (places[i].size) {
            visit("hidden.data", i, places[i].data, places[i].size);
        }
    }
}

void hidden_pass(struct state_cursor *c) {
    for (uint32_t i = 0; i < HIDDEN_PART_COUNT; i++) {
        if (c->direction == CURSOR_RESTORES) {
            clear(i);
        }
        STATE_PASS(c, parts[i].changed);
        if (parts[i].changed) {
            state_pass(c, places[i].data, places[i].size);
        }
    }
}
