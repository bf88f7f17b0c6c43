#include "targets/runtime/race/race.h"

#include <string.h>

#include "base/lanes.h"
#include "base/vector.h"
#include "targets/runtime/kernel/location.h"
#include "targets/runtime/kernel/passing.h"
#include "targets/runtime/kernel/state.h"
#include "targets/runtime/sync/section.h"

enum { RACE_ATOMIC = 4 }; /* beside enum access_mode */
enum { CLOCK_GROUP = 8 }; /* the stride is a multiple of it */

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
    uint32_t next;     /* in race.cells */
    uint32_t clock;    /* row, kept once it was needed */
    uint32_t releaser; /* thread + 1 that heads the release sequence */
    uint32_t slots;    /* `stride` of them, by thread */
    uint8_t bytes;     /* 0: not used */
    bool released;     /* the clock is that of a release sequence */
} atomic_cell;

/* The latest atomic read and write of one thread. Atomic operations do not race with each other,
 * so they need no list that is searched each time. */
typedef struct atomic_slot {
    uint32_t time[2]; /* read, write; 0: none */
    uint32_t location[2];
} atomic_slot;

/* A plain access without the mode. */
typedef struct latest_access {
    uint32_t time; /* 0: none */
    uint32_t location;
    uint16_t thread;
    uint8_t bytes;
} latest_access;

/* The latest read and write, and a list of others: nearly always there are none. */
typedef struct plain_accesses {
    latest_access latest[2];
    uint32_t others;
} plain_accesses;

/* Two variables of four bytes often share a granule, so its halves are kept apart. */
enum { HALVES = 2 };
static const uint8_t half_bytes[HALVES] = {0x0f, 0xf0};

typedef struct shadow {
    uint32_t execution; /* in which the rest was written */
    uint32_t unit;      /* in which it was logged (undo.h) */
    plain_accesses plain[HALVES];
    atomic_cell cell; /* nearly always there is one per granule; others follow it */
} shadow;

static struct {
    VECTOR(access_record) records; /* index 0 is unused */
    VECTOR(atomic_cell) cells;
    VECTOR(atomic_slot) slots;
    VECTOR(shadow) shadows;     /* by object */
    VECTOR(uint32_t) clocks;    /* rows of `stride` counters; row 0 is unused */
    VECTOR(uint32_t) row_units; /* in which units the rows were logged */
    uint32_t rows;
    uint32_t stride;
    uint32_t execution;
    race_mark mark; /* what comes after it is of the open unit, and need not be logged */
} race;

const char *(*race_describe)(const race_report *report);

/* ---- clocks ---- */

static uint32_t *row(uint32_t index) {
    return &vector_at_fast(&race.clocks, (size_t)index * race.stride);
}

static __attribute__((noinline)) uint32_t new_row(void) {
    uint32_t index = race.rows++;
    vector_resize(&race.clocks, race.rows * race.stride);
    vector_resize(&race.row_units, race.rows);
    vector_at(&race.row_units, index) = undo.unit;
    lanes_clear(row(index), race.stride);
    return index;
}

static __attribute__((noinline)) void log_row(uint32_t index) {
    size_t size = race.stride * sizeof(uint32_t);
    undo_items(&race.clocks.items, index * size, size);
    vector_at(&race.row_units, index) = undo.unit;
}

/* The row, which is about to change. */
static inline uint32_t *row_to_change(uint32_t index) {
    if (unlikely(vector_at(&race.row_units, index) != undo.unit)) {
        log_row(index);
    }
    return row(index);
}

static inline void join_rows(uint32_t into, uint32_t from) {
    if (into != from) {
        lanes_join(row_to_change(into), row(from), race.stride);
    }
}

static inline void copy_row(uint32_t into, uint32_t from) {
    lanes_copy(row_to_change(into), row(from), race.stride);
}

/* Rows of slots begin at 1 and are as long as clocks. */
static void widen_slots(uint32_t old, uint32_t stride) {
    uint32_t rows = (race.slots.count - 1) / old;
    vector_resize(&race.slots, 1 + rows * stride);
    for (uint32_t i = rows; i-- > 0;) {
        atomic_slot *to = &vector_at(&race.slots, 1 + (size_t)i * stride);
        memmove(to, race.slots.items + 1 + (size_t)i * old, old * sizeof *to);
        memset(to + old, 0, (stride - old) * sizeof *to);
    }
    for (uint32_t i = 0; i < race.shadows.count; i++) {
        shadow *s = &vector_at(&race.shadows, i);
        if (s->execution == race.execution && s->cell.bytes) {
            s->cell.slots = 1 + (s->cell.slots - 1) / old * stride;
        }
    }
    for (uint32_t i = 1; i < race.cells.count; i++) {
        vector_at(&race.cells, i).slots = 1 + (vector_at(&race.cells, i).slots - 1) / old * stride;
    }
}

/* Room for more threads: every row gets longer. */
static void widen(uint32_t threads) {
    undo_forget();
    uint32_t old = race.stride;
    uint32_t stride = old;
    while (stride < threads) {
        stride *= 2;
    }
    vector_resize(&race.clocks, race.rows * stride);
    for (uint32_t i = race.rows; i-- > 0;) {
        uint32_t *to = &vector_at(&race.clocks, (size_t)i * stride);
        memmove(to, race.clocks.items + (size_t)i * old, old * sizeof *to);
        memset(to + old, 0, (stride - old) * sizeof *to);
    }
    widen_slots(old, stride);
    race.stride = stride;
}

void race_open(void) {
    race.stride = CLOCK_GROUP;
    race.execution = 0;
    race_reset();
}

void race_close(void) {
    vector_free(&race.records);
    vector_free(&race.cells);
    vector_free(&race.slots);
    vector_free(&race.shadows);
    vector_free(&race.clocks);
    vector_free(&race.row_units);
}

void race_reset(void) {
    race.execution++;
    vector_resize(&race.records, 1);
    vector_resize(&race.cells, 1);
    vector_resize(&race.slots, 1);
    race.rows = 0;
    new_row();
}

static uint32_t now(const runtime_thread *t) {
    return row(t->clock)[t->number];
}

static void tick(const runtime_thread *t) {
    row_to_change(t->clock)[t->number]++;
}

void race_thread(runtime_thread *child, runtime_thread *creator) {
    if (!runtime.races) {
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
    row(child->clock)[child->number] = 1; /* it is new */
}

void race_join(runtime_thread *t, const runtime_thread *child) {
    if (runtime.races) {
        join_rows(t->clock, child->clock);
    }
}

void race_acquire(runtime_thread *t, const sync_object *s) {
    if (runtime.races && s->clock) {
        join_rows(t->clock, s->clock);
    }
}

void race_release(runtime_thread *t, sync_object *s) {
    if (!runtime.races) {
        return;
    }
    if (!s->clock) {
        s->clock = new_row();
    }
    copy_row(s->clock, t->clock);
    tick(t);
}

void race_acquire_row(runtime_thread *t, uint32_t from) {
    if (!runtime.settings.no_race_check && from) {
        join_rows(t->clock, from);
    }
}

uint32_t race_release_row(runtime_thread *t, uint32_t earlier) {
    if (runtime.settings.no_race_check) {
        return 0;
    }
    uint32_t released = new_row();
    copy_row(released, t->clock);
    if (earlier) {
        join_rows(released, earlier);
    }
    tick(t);
    return released;
}

/* ---- accesses ---- */

static __attribute__((noinline)) void add_shadows(uint32_t object) {
    uint32_t old = race.shadows.count;
    vector_resize(&race.shadows, object + 64);
    memset(race.shadows.items + old, 0, (race.shadows.count - old) * sizeof(shadow));
}

static __attribute__((noinline)) void renew(shadow *s) {
    *s = (shadow){.execution = race.execution, .unit = undo.unit};
}

static __attribute__((noinline)) void log_shadow(uint32_t object) {
    undo_items(&race.shadows.items, object * sizeof(shadow), sizeof(shadow));
    vector_at(&race.shadows, object).unit = undo.unit;
}

/* The shadow, which is about to change. */
static inline shadow *known_shadow(uint32_t object) {
    shadow *s = &vector_at_fast(&race.shadows, object); /* whoever asks has looked */
    if (unlikely(s->unit != undo.unit)) {
        log_shadow(object);
    }
    if (unlikely(s->execution != race.execution)) {
        renew(s);
    }
    return s;
}

static inline shadow *shadow_of(uint32_t object) {
    if (unlikely(object >= race.shadows.count)) {
        add_shadows(object);
    }
    return known_shadow(object);
}

const char *race_access_word(bool writes, bool atomic) {
    return writes ? (atomic ? "atomic write" : "write") : (atomic ? "atomic read" : "read");
}

static void report(runtime_thread *t, memory_access a, uint8_t mode, uint32_t location,
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
    passing_promote(location);
    passing_promote(other->location);
    if (runtime.settings.no_race_check || runtime.error_set) {
        return;
    }
    runtime_relate(race_access_word(r.writes, r.atomic), t->number, location);
    runtime_relate(race_access_word(r.other_writes, r.other_atomic), other->thread,
                   other->location);
    runtime_error(t, ERROR_DATA_RACE, location, race_describe ? race_describe(&r) : "data race");
}

static bool conflicts(const access_record *r, uint8_t bytes, uint8_t mode) {
    return (r->bytes & bytes) != 0 && ((r->mode | mode) & ACCESS_WRITE) != 0 &&
           (r->mode & mode & RACE_ATOMIC) == 0;
}

/* The new plain access makes the old one needless, if that happened before: whoever races with the
 * old one later also races with the new one. */
static bool supersedes(const runtime_thread *t, const access_record *r, uint8_t bytes, uint8_t mode,
                       uint32_t location) {
    return (r->bytes & ~bytes) == 0 && (!runtime.thorough || r->location == location) &&
           ((mode & ACCESS_WRITE) || (r->thread == t->number && !(r->mode & ACCESS_WRITE)));
}

/* A plain access against the atomic ones of one object by the others: all that it races with,
 * because each of them is promoted. */
static void check_cell(runtime_thread *t, const atomic_cell *c, memory_access a,
                       uint32_t location) {
    const uint32_t *clock = row(t->clock);
    for (uint32_t i = 0; (c->bytes & a.bytes) && i < runtime.thread_count; i++) {
        const atomic_slot *slot = &vector_at(&race.slots, c->slots + i);
        for (int write = (a.mode & ACCESS_WRITE) ? 0 : 1; write < 2; write++) {
            if (slot->time[write] > clock[i]) {
                access_record other = {.thread = i,
                                       .location = slot->location[write],
                                       .bytes = c->bytes,
                                       .mode = RACE_ATOMIC | (write ? ACCESS_WRITE : ACCESS_READ)};
                report(t, a, a.mode, location, &other);
            }
        }
    }
}

static __attribute__((noinline)) void check_cells(runtime_thread *t, const shadow *s,
                                                  memory_access a, uint32_t location) {
    check_cell(t, &s->cell, a, location);
    for (uint32_t c = s->cell.next; c; c = vector_at(&race.cells, c).next) {
        check_cell(t, &vector_at(&race.cells, c), a, location);
    }
}

static void push_record(plain_accesses *p, access_record r) {
    r.next = p->others;
    p->others = race.records.count;
    vector_push(&race.records, r);
}

/* The latest accesses become ordinary records. */
static void push_latest(plain_accesses *p) {
    for (int write = 0; write < 2; write++) {
        latest_access *l = &p->latest[write];
        if (l->time) {
            push_record(p, (access_record){.thread = l->thread,
                                           .time = l->time,
                                           .location = l->location,
                                           .bytes = l->bytes,
                                           .mode = write ? ACCESS_WRITE : ACCESS_READ});
        }
        l->time = 0;
    }
}

static inline void set_latest(plain_accesses *p, const runtime_thread *t, const uint32_t *clock,
                              memory_access a, uint32_t location) {
    latest_access *l = &p->latest[(a.mode & ACCESS_WRITE) != 0];
    l->thread = (uint16_t)t->number;
    l->time = clock[t->number];
    l->location = location;
    l->bytes = a.bytes;
}

/* A link of the list changes: that of the shadow, which is logged, or of a record. */
static void log_link(const plain_accesses *p, const uint32_t *link) {
    size_t offset = (size_t)((const char *)link - (const char *)race.records.items);
    if (link != &p->others && offset < race.mark.records * sizeof(access_record)) {
        undo_items(&race.records.items, offset, sizeof *link);
    }
}

/* Any number of others, before or not. */
static void access_half(runtime_thread *t, plain_accesses *p, memory_access a, uint32_t location) {
    const uint32_t *clock = row(t->clock);
    push_latest(p);
    for (uint32_t *link = &p->others; *link;) {
        const access_record *r = &vector_at(&race.records, *link);
        bool before = r->time <= clock[r->thread];
        if (!before && conflicts(r, a.bytes, a.mode)) {
            report(t, a, a.mode, location, r);
        }
        if (before && supersedes(t, r, a.bytes, a.mode, location)) {
            log_link(p, link);
            *link = r->next;
        } else {
            link = &vector_at(&race.records, *link).next;
        }
    }
    set_latest(p, t, clock, a, location);
}

/* Not as usual: races, several readers, atomic accesses of the same bytes, a new object. */
static __attribute__((noinline)) void access_rarely(runtime_thread *t, memory_access a,
                                                    uint32_t location) {
    shadow *s = shadow_of(a.object);
    for (uint32_t half = 0; half < HALVES; half++) {
        memory_access part = a;
        part.bytes &= half_bytes[half];
        if (part.bytes) {
            access_half(t, &s->plain[half], part, location);
        }
    }
    if (s->cell.bytes) {
        check_cells(t, s, a, location);
    }
}

static inline bool known(const latest_access *l, const uint32_t *clock) {
    return l->time <= clock[l->thread];
}

/* No others, the latest accesses happened before, and what must be kept of them is kept. */
static inline bool is_usual(const runtime_thread *t, const plain_accesses *p, const uint32_t *clock,
                            memory_access a) {
    const latest_access *read = &p->latest[0], *write = &p->latest[1];
    if (p->others || !known(write, clock) || runtime.thorough) {
        return false;
    }
    if (a.mode & ACCESS_WRITE) {
        return !((read->time ? read->bytes : 0) & ~a.bytes) &&
               !((write->time ? write->bytes : 0) & ~a.bytes) && known(read, clock);
    }
    return !read->time || (read->thread == t->number && !(read->bytes & ~a.bytes));
}

/* False: it is not as usual, and nothing was done. */
static inline bool access_usually(const runtime_thread *t, plain_accesses *p, const uint32_t *clock,
                                  memory_access a, uint32_t location) {
    if (unlikely(!is_usual(t, p, clock, a))) {
        return false;
    }
    if (a.mode & ACCESS_WRITE) {
        p->latest[0].time = 0;
    }
    set_latest(p, t, clock, a, location);
    return true;
}

/* The thread has accessed these bytes since it last did something that others could be ordered
 * after. */
static inline bool is_fresh(const runtime_thread *t, const latest_access *l, const uint32_t *clock,
                            uint8_t bytes) {
    return l->time == clock[t->number] && l->thread == t->number && !(bytes & ~l->bytes);
}

/* It has made the same access before, or, instead of a read, a write: whoever has touched the bytes
 * in between has been found to race with that, and whoever does so later will be. */
static inline bool is_repeated(const runtime_thread *t, shadow *s, const uint32_t *clock,
                               memory_access a, uint32_t location) {
    latest_access *latest = s->plain[(a.bytes & half_bytes[0]) == 0].latest;
    if (unlikely(runtime.thorough)) {
        return false;
    }
    if (is_fresh(t, &latest[1], clock, a.bytes)) {
        latest[1].location = a.mode & ACCESS_WRITE ? location : latest[1].location;
        return true;
    }
    if (a.mode & ACCESS_WRITE || !is_fresh(t, &latest[0], clock, a.bytes)) {
        return false;
    }
    latest[0].location = location;
    return true;
}

/* Out of line, so that a repeated access saves no registers. */
static __attribute__((noinline)) void access_anew(runtime_thread *t, shadow *s, memory_access a,
                                                  uint32_t location) {
    const uint32_t *clock = row(t->clock);
    memory_access low = a, high = a;
    low.bytes &= half_bytes[0];
    high.bytes &= half_bytes[1];
    if (unlikely(s->cell.bytes ||
                 (low.bytes && !access_usually(t, &s->plain[0], clock, low, location)) ||
                 (high.bytes && !access_usually(t, &s->plain[1], clock, high, location)))) {
        access_rarely(t, a, location);
    }
}

static inline void access_plainly(runtime_thread *t, memory_access a, uint32_t location) {
    if (unlikely(a.object >= race.shadows.count)) {
        access_rarely(t, a, location);
        return;
    }
    shadow *s = known_shadow(a.object);
    if (!is_repeated(t, s, row(t->clock), a, location)) {
        access_anew(t, s, a, location);
    }
}

static uint32_t new_slots(void) {
    uint32_t first = race.slots.count;
    vector_resize(&race.slots, first + race.stride);
    memset(race.slots.items + first, 0, race.stride * sizeof(atomic_slot));
    return first;
}

static bool has_plain(const shadow *s) {
    uint32_t any = 0;
    for (uint32_t half = 0; half < HALVES; half++) {
        const plain_accesses *p = &s->plain[half];
        any |= p->latest[0].time | p->latest[1].time | p->others;
    }
    return any != 0;
}

static __attribute__((noinline)) void check_records(runtime_thread *t, shadow *s, memory_access a,
                                                    uint8_t mode, uint32_t location) {
    const uint32_t *clock = row(t->clock);
    for (uint32_t half = 0; half < HALVES; half++) {
        push_latest(&s->plain[half]);
        for (uint32_t link = s->plain[half].others; link;
             link = vector_at(&race.records, link).next) {
            const access_record *r = &vector_at(&race.records, link);
            if (conflicts(r, a.bytes, mode) && r->time > clock[r->thread]) {
                report(t, a, mode, location, r);
            }
        }
    }
}

static inline void access_atomically(runtime_thread *t, shadow *s, const atomic_cell *c,
                                     memory_access a, uint8_t mode, uint32_t location) {
    if (unlikely(has_plain(s))) {
        check_records(t, s, a, mode | RACE_ATOMIC, location);
    }
    uint32_t index = c->slots + t->number;
    if (index < race.mark.slots) {
        undo_items(&race.slots.items, index * sizeof(atomic_slot), sizeof(atomic_slot));
    }
    atomic_slot *slot = &vector_at(&race.slots, index);
    int write = (mode & ACCESS_WRITE) != 0;
    slot->time[write] = now(t);
    slot->location[write] = location;
}

/* footprint_access for a footprint that is not a set, which nearly all are. */
static inline memory_access single(footprint f) {
    return (memory_access){
        .object = (uint32_t)f, .bytes = (uint8_t)(f >> 32), .mode = (uint8_t)(f >> 40)};
}

static __attribute__((noinline)) void access_several(runtime_thread *t, footprint f,
                                                     uint32_t location) {
    for (uint32_t i = 0; i < footprint_count(f); i++) {
        access_plainly(t, footprint_access(f, i), location);
    }
}

void race_accesses(runtime_thread *t, footprint f, uint32_t location) {
    if (unlikely(footprint_is_set(f))) {
        access_several(t, f, location);
    } else {
        access_plainly(t, single(f), location);
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

/* Another atomic object in the same granule, or the first one. */
static __attribute__((noinline)) atomic_cell *find_cell(shadow *s, uint8_t bytes) {
    if (!s->cell.bytes) {
        s->cell.bytes = bytes;
        s->cell.slots = new_slots();
        return &s->cell;
    }
    uint32_t c = s->cell.next;
    while (c && vector_at(&race.cells, c).bytes != bytes) {
        c = vector_at(&race.cells, c).next;
    }
    if (!c) {
        c = race.cells.count;
        atomic_cell fresh = {.next = s->cell.next, .slots = new_slots(), .bytes = bytes};
        vector_push(&race.cells, fresh);
        s->cell.next = c;
    }
    if (c < race.mark.cells) {
        undo_items(&race.cells.items, c * sizeof(atomic_cell), sizeof(atomic_cell));
    }
    return &vector_at(&race.cells, c);
}

static inline void atomic_read(runtime_thread *t, const atomic_cell *c, int order) {
    if (!c->released) {
        return;
    }
    if (likely(acquires(order))) {
        join_rows(t->clock, c->clock);
        return;
    }
    if (!t->acquire_clock) {
        t->acquire_clock = new_row();
    }
    join_rows(t->acquire_clock, c->clock);
}

/* A store starts a release sequence (or goes on with it in the same thread); a read-modify-write
 * goes on with the one there is. */
static inline void atomic_write(runtime_thread *t, atomic_cell *c, bool modifies, int order) {
    uint32_t source = likely(releases(order)) ? t->clock : t->release_clock;
    bool goes_on = c->released && (modifies || c->releaser == t->number + 1);
    if (!source) {
        c->released = goes_on;
        return;
    }
    if (unlikely(!c->clock)) {
        c->clock = new_row();
    }
    if (goes_on) {
        join_rows(c->clock, source);
    } else {
        copy_row(c->clock, source);
        c->released = true;
    }
    if (!modifies) {
        c->releaser = t->number + 1;
    }
}

static inline void atomic_access(runtime_thread *t, memory_access a, uint8_t mode, int order,
                                 uint32_t location) {
    shadow *s = shadow_of(a.object);
    atomic_cell *c = likely(s->cell.bytes == a.bytes) ? &s->cell : find_cell(s, a.bytes);
    if (mode & ACCESS_READ) {
        atomic_read(t, c, order);
    }
    access_atomically(t, s, c, a, mode, location);
    if (mode & ACCESS_WRITE) {
        atomic_write(t, c, (mode & ACCESS_READ) != 0, order);
    }
}

static __attribute__((noinline)) void atomic_several(runtime_thread *t, footprint f, uint8_t mode,
                                                     int order, uint32_t location) {
    for (uint32_t i = 0; i < footprint_count(f); i++) {
        atomic_access(t, footprint_access(f, i), mode, order, location);
    }
}

void race_atomic_accesses(runtime_thread *t, footprint f, uint8_t mode, int order,
                          uint32_t location) {
    if (unlikely(footprint_is_set(f))) {
        atomic_several(t, f, mode, order, location);
    } else {
        atomic_access(t, single(f), mode, order, location);
    }
    if ((mode & ACCESS_WRITE) && (releases(order) || t->release_clock)) {
        tick(t);
    }
}

void race_section(runtime_thread *t, footprint f, uint32_t location) {
    for (uint32_t i = 0; runtime.races && i < footprint_count(f); i++) {
        memory_access a = footprint_access(f, i);
        race_atomic_accesses(t, footprint_single(a), a.mode, __ATOMIC_SEQ_CST, location);
    }
}

void race_fence(runtime_thread *t, int order) {
    if (!runtime.races) {
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

static void forget_object(uint32_t object) {
    if (object && object < race.shadows.count) {
        log_shadow(object);
        vector_at(&race.shadows, object).execution = 0;
    }
}

/* By whatever is less: the granules there, or the objects there are. */
static void forget(uintptr_t address, size_t size) {
    uintptr_t first = address & ~(uintptr_t)7;
    if (size / 8 < race.shadows.count) {
        for (uintptr_t at = first; at < address + size; at += 8) {
            forget_object(space_granule(at)->object);
        }
        return;
    }
    for (uint32_t i = 1; i < race.shadows.count; i++) {
        if (space_object_address(i) - first < address + size - first) {
            forget_object(i);
        }
    }
}

void race_range(runtime_thread *t, uintptr_t address, size_t size, uint8_t mode,
                uint32_t location) {
    uintptr_t end = address + size;
    while (runtime.races && address < end) {
        uint32_t first = address & 7;
        size_t here = end - address < 8 - first ? end - address : 8 - first;
        memory_access a = {.object = space_object(address),
                           .bytes = (uint8_t)(((1u << here) - 1) << first),
                           .mode = mode};
        access_plainly(t, a, location);
        address += here;
    }
}

void race_allocate(runtime_thread *t, uintptr_t address, size_t size, uint32_t location) {
    if (runtime.races && !section_tried()) {
        forget(address, size);
        race_range(t, address, size, ACCESS_WRITE, location);
    }
}

/* ---- going back ---- */

void race_take_mark(race_mark *m) {
    *m = race.mark = (race_mark){.records = race.records.count,
                                 .cells = race.cells.count,
                                 .slots = race.slots.count,
                                 .rows = race.rows};
}

void race_go_back(const race_mark *m) {
    race.mark = *m;
    race.records.count = m->records;
    race.cells.count = m->cells;
    race.slots.count = m->slots;
    race.rows = m->rows;
    race.clocks.count = m->rows * race.stride;
}

uint32_t race_execution(void) {
    return race.execution;
}

void race_rename_execution(uint32_t number) {
    for (uint32_t i = 0; i < race.shadows.count; i++) {
        shadow *s = &vector_at(&race.shadows, i);
        s->execution = s->execution == race.execution ? number : 0;
    }
    race.execution = number;
}

#define VISIT_VECTOR(visit, vector) \
    visit(#vector, 0, race.vector.items, race.vector.count * sizeof *race.vector.items)

void race_visit(void (*visit)(const char *name, uint32_t number, const void *, size_t)) {
    VISIT_VECTOR(visit, records);
    VISIT_VECTOR(visit, cells);
    VISIT_VECTOR(visit, slots);
    VISIT_VECTOR(visit, clocks);
    for (uint32_t i = 0; i < race.shadows.count; i++) {
        const shadow *s = &vector_at(&race.shadows, i);
        if (s->execution == race.execution) {
            visit("shadow.plain", i, s->plain, sizeof s->plain);
            visit("shadow.cell", i, &s->cell, sizeof s->cell);
        }
    }
}

/* ---- states ---- */

#define PASS_VECTOR(c, vector)                                                      \
    do {                                                                            \
        uint32_t passed = (vector)->count;                                          \
        STATE_PASS((c), passed);                                                    \
        vector_resize((vector), passed);                                            \
        state_pass((c), (vector)->items, (size_t)passed * sizeof *(vector)->items); \
    } while (0)

/* Shadows say in which execution they were written; that number never goes back. */
static void renew_shadows(uint32_t saved_execution, uint32_t saved_count) {
    for (uint32_t i = 0; i < race.shadows.count; i++) {
        shadow *s = &vector_at(&race.shadows, i);
        bool valid = i < saved_count && s->execution == saved_execution;
        s->execution = valid ? race.execution : 0;
    }
}

void race_pass(struct state_cursor *c) {
    if (!runtime.races) {
        return;
    }
    uint32_t stride = race.stride, execution = race.execution, count = race.shadows.count;
    STATE_PASS(c, stride);
    STATE_PASS(c, execution);
    STATE_PASS(c, race.rows);
    PASS_VECTOR(c, &race.records);
    PASS_VECTOR(c, &race.cells);
    PASS_VECTOR(c, &race.slots);
    PASS_VECTOR(c, &race.clocks);
    STATE_PASS(c, count);
    if (c->direction == CURSOR_RESTORES && race.shadows.count < count) {
        vector_resize(&race.shadows, count);
    }
    state_pass(c, race.shadows.items, (size_t)count * sizeof *race.shadows.items);
    if (c->direction == CURSOR_RESTORES) {
        renew_shadows(execution, count);
        race.stride = stride;
    }
}
