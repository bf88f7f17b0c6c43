/* Plain accesses: looked at most often, and nearly always in one of two ways that take a few
 * instructions. */
#include "targets/runtime/race/clocks.h"
#include "targets/runtime/race/shadow.h"

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
    DEBUG_CHECK(a.bytes && clock[t->number]); /* time 0 is for no access */
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
    const uint32_t *clock = race_row(t->clock);
    push_latest(p);
    for (uint32_t *link = &p->others; *link;) {
        const access_record *r = &vector_at(&race.records, *link);
        bool before = r->time <= clock[r->thread];
        if (!before && conflicts(r, a.bytes, a.mode)) {
            race_report_access(t, a, a.mode, location, r);
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
    shadow *s = race_shadow_of(a.object);
    for (uint32_t half = 0; half < RACE_HALVES; half++) {
        memory_access part = a;
        part.bytes &= race_half_bytes[half];
        if (part.bytes) {
            access_half(t, &s->plain[half], part, location);
        }
    }
    if (s->cell.bytes) {
        race_check_atomic(t, s, a, location);
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
    latest_access *latest = s->plain[(a.bytes & race_half_bytes[0]) == 0].latest;
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
    const uint32_t *clock = race_row(t->clock);
    memory_access low = a, high = a;
    low.bytes &= race_half_bytes[0];
    high.bytes &= race_half_bytes[1];
    if (unlikely(s->cell.bytes ||
                 (low.bytes && !access_usually(t, &s->plain[0], clock, low, location)) ||
                 (high.bytes && !access_usually(t, &s->plain[1], clock, high, location)))) {
        access_rarely(t, a, location);
    }
}

/* The first access to an object, in this execution or since the unit of the log began. */
static __attribute__((noinline)) void access_first(runtime_thread *t, memory_access a,
                                                   uint32_t location) {
    if (a.object >= race.shadows.count) {
        access_rarely(t, a, location);
        return;
    }
    shadow *s = race_known_shadow(a.object);
    if (!is_repeated(t, s, race_row(t->clock), a, location)) {
        access_anew(t, s, a, location);
    }
}

/* What is not as usual is left to other functions by its last call: this saves no registers. */
static inline void access_plainly(runtime_thread *t, memory_access a, uint32_t location) {
    if (unlikely(a.object >= race.shadows.count)) {
        access_first(t, a, location);
        return;
    }
    shadow *s = &vector_at_fast(&race.shadows, a.object);
    if (unlikely(s->unit != undo.unit || s->execution != race.execution)) {
        access_first(t, a, location);
    } else if (!is_repeated(t, s, race_row(t->clock), a, location)) {
        access_anew(t, s, a, location);
    }
}

__attribute__((noinline)) void race_check_plain(runtime_thread *t, shadow *s, memory_access a,
                                                uint8_t mode, uint32_t location) {
    const uint32_t *clock = race_row(t->clock);
    for (uint32_t half = 0; half < RACE_HALVES; half++) {
        push_latest(&s->plain[half]);
        for (uint32_t link = s->plain[half].others; link;
             link = vector_at(&race.records, link).next) {
            const access_record *r = &vector_at(&race.records, link);
            if (conflicts(r, a.bytes, mode) && r->time > clock[r->thread]) {
                race_report_access(t, a, mode, location, r);
            }
        }
    }
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
        access_plainly(t, race_single_access(f), location);
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
