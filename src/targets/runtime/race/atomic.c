/* Atomic accesses: what they synchronise with by C11's memory orders. */
#include <string.h>

#include "targets/runtime/race/clocks.h"
#include "targets/runtime/race/shadow.h"

/* A plain access against the atomic ones of one object by the others: all that it races with,
 * because each of them is promoted. */
static void check_cell(runtime_thread *t, const atomic_cell *c, memory_access a,
                       uint32_t location) {
    const uint32_t *clock = race_row(t->clock);
    for (uint32_t i = 0; (c->bytes & a.bytes) && i < runtime.thread_count; i++) {
        const atomic_slot *slot = &vector_at(&race.slots, c->slots + i);
        for (int write = (a.mode & ACCESS_WRITE) ? 0 : 1; write < 2; write++) {
            if (slot->time[write] > clock[i]) {
                other_access other = {.thread = i,
                                      .location = slot->location[write],
                                      .bytes = c->bytes,
                                      .mode = RACE_ATOMIC | (write ? ACCESS_WRITE : ACCESS_READ)};
                race_report_access(t, a, a.mode, location, &other);
            }
        }
    }
}

__attribute__((noinline)) void race_check_atomic(runtime_thread *t, const shadow *s,
                                                 memory_access a, uint32_t location) {
    check_cell(t, &s->cell, a, location);
    for (uint32_t c = s->cell.next; c; c = vector_at(&race.cells, c).next) {
        check_cell(t, &vector_at(&race.cells, c), a, location);
    }
}

static uint32_t new_slots(void) {
    uint32_t first = race.slots.count;
    DEBUG_CHECK((first - 1) % race.stride == 0); /* rows of slots begin at 1 */
    vector_resize(&race.slots, first + race.stride);
    memset(race.slots.items + first, 0, race.stride * sizeof(atomic_slot));
    return first;
}

static inline void access_atomically(runtime_thread *t, const shadow *s, const atomic_cell *c,
                                     memory_access a, uint8_t mode, uint32_t location) {
    if (unlikely(s->histories[0] | s->histories[1])) {
        race_check_plain(t, s, a, mode | RACE_ATOMIC, location);
    }
    uint32_t index = c->slots + t->number;
    DEBUG_CHECK(t->number < race.stride && c->bytes == a.bytes);
    if (index < race.mark.slots) {
        undo_items(&race.slots.items, index * sizeof(atomic_slot), sizeof(atomic_slot));
    }
    atomic_slot *slot = &vector_at(&race.slots, index);
    int write = (mode & ACCESS_WRITE) != 0;
    slot->time[write] = race_now(t);
    slot->location[write] = location;
}

static bool acquires(int order) {
    return order == __ATOMIC_ACQUIRE || order == __ATOMIC_CONSUME || order == __ATOMIC_ACQ_REL ||
           order == __ATOMIC_SEQ_CST;
}

static bool releases(int order) {
    return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

/* A cell that is not the first is about to change. */
static void log_cell(uint32_t c) {
    if (c < race.mark.cells) {
        undo_items(&race.cells.items, c * sizeof(atomic_cell), sizeof(atomic_cell));
    }
}

/* ---- accesses of different sizes ---- */

/* C11 knows none, but inline assembly does, and unions. Each byte is as its latest write has left
 * it, and every cell has made one of those; so a read acquires from all cells that have bytes of
 * it. Until the first such access, no two cells overlap, and all their bytes are their own. */
static void note_mixed(shadow *s, const atomic_cell *fresh) {
    uint8_t others = s->cell.bytes;
    for (uint32_t c = s->cell.next; c; c = vector_at(&race.cells, c).next) {
        others |= vector_at(&race.cells, c).bytes;
    }
    if (s->cell.mixed || !(others & fresh->bytes)) {
        return;
    }
    s->cell.mixed = true;
    s->cell.current = s->cell.bytes;
    for (uint32_t c = s->cell.next; c; c = vector_at(&race.cells, c).next) {
        log_cell(c);
        vector_at(&race.cells, c).current = vector_at(&race.cells, c).bytes;
    }
}

/* The next cell after this one, or the first one for NULL; NULL: no more. */
static atomic_cell *next_cell(shadow *s, const atomic_cell *cell) {
    uint32_t next = cell ? cell->next : 0;
    return !cell ? &s->cell : next ? &vector_at(&race.cells, next) : NULL;
}

static void log_changing(shadow *s, const atomic_cell *cell) {
    if (cell != &s->cell) {
        log_cell((uint32_t)(cell - race.cells.items));
    }
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
        note_mixed(s, &fresh);
        fresh.current = s->cell.mixed ? 0 : bytes;
        vector_push(&race.cells, fresh);
        s->cell.next = c;
    }
    log_cell(c);
    return &vector_at(&race.cells, c);
}

atomic_cell *race_cell_of(memory_access a) {
    shadow *s = race_shadow_of(a.object);
    return s->cell.bytes == a.bytes ? &s->cell : find_cell(s, a.bytes);
}

static inline void atomic_read(runtime_thread *t, const atomic_cell *c, int order) {
    if (!c->released) {
        return;
    }
    if (likely(acquires(order))) {
        race_join_rows(t->clock, c->clock);
        return;
    }
    if (!t->acquire_clock) {
        t->acquire_clock = race_new_row();
    }
    race_join_rows(t->acquire_clock, c->clock);
}

/* A store starts a release sequence (or continues it in the same thread); a read-modify-write
 * continues the one there is. */
static inline void atomic_write(runtime_thread *t, atomic_cell *c, bool modifies, int order) {
    DEBUG_CHECK(!c->released || c->clock);
    uint32_t source = likely(releases(order)) ? t->clock : t->release_clock;
    bool goes_on = c->released && (modifies || c->releaser == t->number + 1);
    if (!source) {
        c->released = goes_on;
        return;
    }
    if (unlikely(!c->clock)) {
        c->clock = race_new_row();
    }
    if (goes_on) {
        race_join_rows(c->clock, source);
    } else {
        race_copy_row(c->clock, source);
        c->released = true;
    }
    if (!modifies) {
        c->releaser = t->number + 1;
    }
}

/* The cell takes bytes over from the others, for a read-modify-write with what they have released:
 * it continues their release sequences. */
static void take_bytes(shadow *s, atomic_cell *c, bool modifies) {
    c->released = c->released && c->current && (modifies || c->current == c->bytes);
    for (atomic_cell *other = next_cell(s, NULL); other; other = next_cell(s, other)) {
        if (other == c || !(other->current & c->bytes)) {
            continue;
        }
        if (modifies && other->released) {
            c->clock = c->clock ? c->clock : race_new_row();
            (c->released ? race_join_rows : race_copy_row)(c->clock, other->clock);
            c->released = true;
        }
        log_changing(s, other);
        other->current &= (uint8_t)~c->bytes;
    }
    c->current = c->bytes;
}

static __attribute__((noinline)) void access_mixed(runtime_thread *t, shadow *s, atomic_cell *c,
                                                   memory_access a, uint8_t mode, int order,
                                                   uint32_t location) {
    DEBUG_CHECK(s->cell.mixed);
    bool reads = mode & ACCESS_READ;
    for (const atomic_cell *other = next_cell(s, NULL); reads && other;
         other = next_cell(s, other)) {
        if (other->current & c->bytes) {
            atomic_read(t, other, order);
        }
    }
    access_atomically(t, s, c, a, mode, location);
    if (mode & ACCESS_WRITE) {
        take_bytes(s, c, reads);
        atomic_write(t, c, reads, order);
    }
}

static inline void atomic_access(runtime_thread *t, memory_access a, uint8_t mode, int order,
                                 uint32_t location) {
    shadow *s = race_shadow_of(a.object);
    atomic_cell *c = likely(s->cell.bytes == a.bytes) ? &s->cell : find_cell(s, a.bytes);
    if (unlikely(s->cell.mixed)) {
        access_mixed(t, s, c, a, mode, order, location);
        return;
    }
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
        atomic_access(t, race_single_access(f), mode, order, location);
    }
    if ((mode & ACCESS_WRITE) && (releases(order) || t->release_clock)) {
        race_tick(t);
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
        race_join_rows(t->clock, t->acquire_clock);
    }
    if (releases(order)) {
        if (!t->release_clock) {
            t->release_clock = race_new_row();
        }
        race_copy_row(t->release_clock, t->clock);
        race_tick(t);
    }
}
