#include "runtime/race.h"

#include <string.h>

#include "base/vector.h"
#include "runtime/location.h"

enum { RACE_ATOMIC = 4 }; /* beside enum access_mode */

typedef struct access_record {
    uint32_t next;
    uint32_t thread;
    uint32_t time; /* the thread's own counter */
    uint32_t location;
    uint8_t bytes;
    uint8_t mode; /* enum access_mode, RACE_ATOMIC */
} access_record;

/* What acquiring reads of these bytes synchronise with. */
typedef struct atomic_cell {
    uint32_t next;
    uint32_t clock;
    uint32_t releaser; /* thread + 1 that heads the release sequence */
    uint8_t bytes;
} atomic_cell;

typedef struct shadow {
    uint32_t execution; /* in which the rest was written */
    uint32_t records, cells;
} shadow;

static struct {
    VECTOR(access_record) records; /* index 0 is unused */
    VECTOR(atomic_cell) cells;
    VECTOR(shadow) shadows;  /* by object */
    VECTOR(uint32_t) clocks; /* rows of `stride` counters; row 0 is unused */
    uint32_t rows;
    uint32_t stride;
    uint32_t execution;
} race;

const char *(*race_describe)(const race_report *report);

/* ---- clocks ---- */

static uint32_t *row(uint32_t index) {
    return &race.clocks.items[(size_t)index * race.stride];
}

static uint32_t new_row(void) {
    uint32_t index = race.rows++;
    vector_resize(&race.clocks, race.rows * race.stride);
    memset(row(index), 0, race.stride * sizeof(uint32_t));
    return index;
}

static void join_rows(uint32_t into, uint32_t from) {
    uint32_t *a = row(into);
    const uint32_t *b = row(from);
    for (uint32_t i = 0; i < race.stride; i++) {
        a[i] = a[i] > b[i] ? a[i] : b[i];
    }
}

static void copy_row(uint32_t into, uint32_t from) {
    memcpy(row(into), row(from), race.stride * sizeof(uint32_t));
}

/* Room for more threads: every row gets longer. */
static void widen(uint32_t threads) {
    uint32_t old = race.stride;
    uint32_t stride = old;
    while (stride < threads) {
        stride *= 2;
    }
    vector_resize(&race.clocks, race.rows * stride);
    for (uint32_t i = race.rows; i-- > 0;) {
        uint32_t *to = &race.clocks.items[(size_t)i * stride];
        memmove(to, &race.clocks.items[(size_t)i * old], old * sizeof *to);
        memset(to + old, 0, (stride - old) * sizeof *to);
    }
    race.stride = stride;
}

void race_open(void) {
    race.stride = 8;
    race.execution = 0;
    race_reset();
}

void race_close(void) {
    vector_free(&race.records);
    vector_free(&race.cells);
    vector_free(&race.shadows);
    vector_free(&race.clocks);
}

void race_reset(void) {
    race.execution++;
    vector_resize(&race.records, 1);
    vector_resize(&race.cells, 1);
    race.rows = 0;
    new_row();
}

static uint32_t now(const runtime_thread *t) {
    return row(t->clock)[t->number];
}

static void tick(const runtime_thread *t) {
    row(t->clock)[t->number]++;
}

void race_thread(runtime_thread *child, runtime_thread *creator) {
    if (!runtime.options.race_check) {
        return;
    }
    if (child->number >= race.stride) {
        widen(child->number + 1);
    }
    child->acquire_clock = child->release_clock = 0;
    child->clock = new_row();
    if (creator) {
        copy_row(child->clock, creator->clock);
        tick(creator);
    }
    row(child->clock)[child->number] = 1;
}

void race_join(runtime_thread *t, const runtime_thread *child) {
    if (runtime.options.race_check) {
        join_rows(t->clock, child->clock);
    }
}

void race_acquire(runtime_thread *t, const sync_object *s) {
    if (runtime.options.race_check && s->clock) {
        join_rows(t->clock, s->clock);
    }
}

void race_release(runtime_thread *t, sync_object *s) {
    if (!runtime.options.race_check) {
        return;
    }
    if (!s->clock) {
        s->clock = new_row();
    }
    copy_row(s->clock, t->clock);
    tick(t);
}

/* ---- accesses ---- */

static shadow *shadow_of(uint32_t object) {
    if (unlikely(object >= race.shadows.count)) {
        uint32_t old = race.shadows.count;
        vector_resize(&race.shadows, object + 64);
        memset(&race.shadows.items[old], 0, (race.shadows.count - old) * sizeof(shadow));
    }
    shadow *s = &race.shadows.items[object];
    if (s->execution != race.execution) {
        *s = (shadow){.execution = race.execution};
    }
    return s;
}

static void report(runtime_thread *t, access a, uint8_t mode, uint32_t location,
                   const access_record *other) {
    race_report r = {.object = a.object,
                     .bytes = a.bytes & other->bytes,
                     .thread = t->number,
                     .location = location,
                     .other_thread = other->thread,
                     .other_location = other->location,
                     .writes = (mode & ACCESS_WRITE) != 0,
                     .other_writes = (other->mode & ACCESS_WRITE) != 0,
                     .atomic = (mode & RACE_ATOMIC) != 0,
                     .other_atomic = (other->mode & RACE_ATOMIC) != 0};
    runtime_error(t, ERROR_DATA_RACE, location, race_describe ? race_describe(&r) : "data race");
}

static bool conflicts(const access_record *r, uint8_t bytes, uint8_t mode) {
    return (r->bytes & bytes) != 0 && ((r->mode | mode) & ACCESS_WRITE) != 0 &&
           (r->mode & mode & RACE_ATOMIC) == 0;
}

/* The new access makes the old one needless: whoever races with the old one later also races with
 * the new one. */
static bool supersedes(const runtime_thread *t, const access_record *r, bool before, uint8_t bytes,
                       uint8_t mode) {
    if (!before || (r->bytes & ~bytes) != 0 || (!(r->mode & RACE_ATOMIC) && (mode & RACE_ATOMIC))) {
        return false;
    }
    return (mode & ACCESS_WRITE) || (r->thread == t->number && !(r->mode & ACCESS_WRITE));
}

static void access_one(runtime_thread *t, access a, uint8_t mode, uint32_t location) {
    shadow *s = shadow_of(a.object);
    uint32_t time = now(t);
    const uint32_t *clock = row(t->clock);
    bool raced = false;
    for (uint32_t *link = &s->records; *link;) {
        access_record *r = &race.records.items[*link];
        if (r->thread == t->number && r->time == time && r->bytes == a.bytes && r->mode == mode) {
            r->location = location;
            return;
        }
        bool before = r->thread == t->number || r->time <= clock[r->thread];
        if (!before && !raced && conflicts(r, a.bytes, mode)) {
            raced = true;
            report(t, a, mode, location, r);
        }
        if (supersedes(t, r, before, a.bytes, mode)) {
            *link = r->next;
        } else {
            link = &r->next;
        }
    }
    uint32_t first = s->records;
    s->records = race.records.count;
    vector_push(&race.records, (access_record){.next = first,
                                               .thread = t->number,
                                               .time = time,
                                               .location = location,
                                               .bytes = a.bytes,
                                               .mode = mode});
}

void race_plain(runtime_thread *t, footprint f, uint32_t location) {
    if (!runtime.options.race_check) {
        return;
    }
    uint32_t count = footprint_is_set(f) ? footprint_count(f) : 1;
    for (uint32_t i = 0; i < count; i++) {
        access a = footprint_access(f, i);
        access_one(t, a, a.mode, location);
    }
}

/* ---- atomic operations ---- */

static bool acquires(int order) {
    return order == __ATOMIC_ACQUIRE || order == __ATOMIC_CONSUME || order == __ATOMIC_ACQ_REL ||
           order == __ATOMIC_SEQ_CST;
}

static bool releases(int order) {
    return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

static uint32_t cell_of(shadow *s, uint8_t bytes) {
    uint32_t c = s->cells;
    while (c && race.cells.items[c].bytes != bytes) {
        c = race.cells.items[c].next;
    }
    if (!c) {
        c = race.cells.count;
        vector_push(&race.cells, (atomic_cell){.next = s->cells, .bytes = bytes});
        s->cells = c;
    }
    return c;
}

static void atomic_read(runtime_thread *t, uint32_t cell, int order) {
    uint32_t clock = race.cells.items[cell].clock;
    if (!clock) {
        return;
    }
    if (acquires(order)) {
        join_rows(t->clock, clock);
        return;
    }
    if (!t->acquire_clock) {
        t->acquire_clock = new_row();
    }
    join_rows(t->acquire_clock, clock);
}

/* A store starts a release sequence (or goes on with it in the same thread); a read-modify-write
 * goes on with the one there is. */
static void atomic_write(runtime_thread *t, uint32_t cell, bool modifies, int order) {
    atomic_cell *c = &race.cells.items[cell];
    uint32_t source = releases(order) ? t->clock : t->release_clock;
    bool goes_on = modifies || (c->clock && c->releaser == t->number + 1);
    if (!goes_on) {
        c->clock = 0;
    }
    if (!source) {
        return;
    }
    if (!c->clock) {
        uint32_t fresh = new_row();
        c = &race.cells.items[cell];
        c->clock = fresh;
    }
    join_rows(c->clock, source);
    if (!modifies) {
        c->releaser = t->number + 1;
    }
}

void race_atomic(runtime_thread *t, footprint f, uint8_t mode, int order, uint32_t location) {
    if (!runtime.options.race_check) {
        return;
    }
    uint32_t count = footprint_is_set(f) ? footprint_count(f) : 1;
    for (uint32_t i = 0; i < count; i++) {
        access a = footprint_access(f, i);
        uint32_t cell = cell_of(shadow_of(a.object), a.bytes);
        if (mode & ACCESS_READ) {
            atomic_read(t, cell, order);
        }
        access_one(t, a, mode | RACE_ATOMIC, location);
        if (mode & ACCESS_WRITE) {
            atomic_write(t, cell, (mode & ACCESS_READ) != 0, order);
        }
    }
    if ((mode & ACCESS_WRITE) && (releases(order) || t->release_clock)) {
        tick(t);
    }
}

void race_fence(runtime_thread *t, int order) {
    if (!runtime.options.race_check) {
        return;
    }
    if (acquires(order) && t->acquire_clock) {
        join_rows(t->clock, t->acquire_clock);
    }
    if (releases(order)) {
        if (!t->release_clock) {
            t->release_clock = new_row();
        }
        copy_row(t->release_clock, t->clock);
        tick(t);
    }
}

void race_forget(uintptr_t address, size_t size) {
    if (!runtime.options.race_check) {
        return;
    }
    for (uintptr_t at = address & ~(uintptr_t)7; at < address + size; at += 8) {
        uint32_t object = space_granule(at)->object;
        if (object && object < race.shadows.count) {
            race.shadows.items[object].execution = 0;
        }
    }
}
