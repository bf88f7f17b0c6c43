/* Plain accesses: looked at most often, and nearly always like one that was made before. */
#include "targets/runtime/kernel/location.h"
#include "targets/runtime/memory/space.h"
#include "targets/runtime/race/clocks.h"
#include "targets/runtime/race/shadow.h"
#include "targets/runtime/sync/section.h"

enum { STEPS_BITS = 7, FEW_ACCESSES = 16 };

static history_step steps[1 << STEPS_BITS];

/* Since the stamp: how many were new, where the latest was made, and whether steps are remembered
 * (at that stamp). */
static struct {
    uint64_t stamp, remembering;
    uint32_t count;
    uint32_t latest;
} accesses;

static inline bool is_write(plain_access a) {
    return (a & ACCESS_WRITE) != 0;
}

/* ---- extending a history ---- */

/* It is the same access but for its bytes: the two can be one. */
static inline bool is_alike(const access_record *r, const access_record *latest) {
    return !((r->access ^ latest->access) & ~(plain_access)(HALF_BYTES << 8)) &&
           r->time == latest->time && r->location == latest->location;
}

/* What must be kept of an earlier access: the new one makes the same bytes needless if the old one
 * happened before it, because whoever races with the old one later also races with the new one. */
static inline uint32_t kept_bytes(const access_record *r, const access_record *latest,
                                  const uint32_t *clock) {
    uint32_t bytes = plain_bytes(r->access), thread = plain_thread(r->access);
    if (is_alike(r, latest) && !runtime.thorough) {
        return 0;
    }
    bool replaces = is_write(latest->access) ||
                    (thread == plain_thread(latest->access) && !is_write(r->access));
    return replaces && r->time <= clock[thread] &&
                   (!runtime.thorough || r->location == latest->location)
               ? bytes & ~plain_bytes(latest->access)
               : bytes;
}

/* The thread has made the same access since it last did something that others could be ordered
 * after, or, instead of a read, a write: whoever has touched the bytes in between has been found to
 * race with that, and whoever does so later will be. */
static inline bool is_repeated(const access_record *r, const access_record *latest) {
    return r->time == latest->time && plain_thread(r->access) == plain_thread(latest->access) &&
           !(plain_bytes(latest->access) & ~plain_bytes(r->access)) &&
           (is_alike(r, latest) ||
            (!runtime.thorough && is_write(r->access) && !is_write(latest->access)));
}

static inline bool races(const access_record *r, const access_record *latest,
                         const uint32_t *clock) {
    return (plain_bytes(r->access) & plain_bytes(latest->access)) &&
           is_write(r->access | latest->access) && r->time > clock[plain_thread(r->access)];
}

static inline uint32_t push_record(const access_record *r) {
    vector_push(&race.records, *r);
    return race.records.count - 1;
}

/* Copies the records of the history that are kept, up to `last`; those after it are shared. */
static __attribute__((noinline)) uint32_t copy_until(uint32_t history, uint32_t last,
                                                     const access_record *latest,
                                                     const uint32_t *clock) {
    uint32_t rest = vector_at(&race.records, last).next, first = rest, before = 0;
    for (uint32_t link = history; link != rest; link = vector_at(&race.records, link).next) {
        access_record copy = vector_at(&race.records, link);
        uint32_t bytes = kept_bytes(&copy, latest, clock);
        if (!bytes) {
            continue;
        }
        copy.access = (copy.access & ~(plain_access)(HALF_BYTES << 8)) | bytes << 8;
        copy.next = rest;
        uint32_t pushed = push_record(&copy);
        if (before) {
            vector_at(&race.records, before).next = pushed;
        } else {
            first = pushed;
        }
        before = pushed;
    }
    return first;
}

/* Any history. */
static __attribute__((noinline)) uint32_t extend_slowly(const uint32_t *clock, uint32_t history,
                                                        access_record latest, bool *raced) {
    uint32_t last = 0; /* what comes after it stays as it is */
    plain_access alike = 0;
    bool keeps = false, copies = false;
    for (uint32_t link = history, next; link; link = next) {
        const access_record *r = &vector_at(&race.records, link);
        next = r->next;
        if (is_repeated(r, &latest)) {
            return history;
        }
        *raced |= races(r, &latest, clock);
        uint32_t kept = kept_bytes(r, &latest, clock);
        alike |= is_alike(r, &latest) && !runtime.thorough ? r->access : 0;
        keeps = keeps || kept;
        if (kept != plain_bytes(r->access)) {
            last = link;
            copies = keeps;
        }
    }
    latest.next = copies ? copy_until(history, last, &latest, clock)
                  : last ? vector_at(&race.records, last).next
                         : history;
    latest.access |= alike;
    return push_record(&latest);
}

#define UNUSUAL UINT32_MAX

/* What a write leaves of a history: nothing, if all of it happened before and lies inside. */
static inline uint32_t rest_of_write(const uint32_t *clock, uint32_t history, plain_access access) {
    while (history) {
        const access_record *r = &vector_at_fast(&race.records, history);
        if (r->time > clock[plain_thread(r->access)] ||
            (r->access & ~access & (plain_access)HALF_BYTES << 8)) {
            return UNUSUAL;
        }
        history = r->next;
    }
    return 0;
}

/* What a read leaves: all but the thread's own read, if that is the latest access. */
static inline uint32_t rest_of_read(const uint32_t *clock, uint32_t history, plain_access access) {
    const plain_access bytes = (plain_access)HALF_BYTES << 8;
    const access_record *r = &vector_at_fast(&race.records, history);
    if (history && !((r->access ^ access) & ~bytes)) {
        if (r->access & ~access & bytes) {
            return UNUSUAL;
        }
        history = r->next;
    }
    for (uint32_t link = history; link; link = r->next) {
        r = &vector_at_fast(&race.records, link);
        if (is_write(r->access) ? r->time > clock[plain_thread(r->access)]
                                : plain_thread(r->access) == plain_thread(access)) {
            return UNUSUAL;
        }
    }
    return history;
}

/* The history after the access; *raced: it races with an earlier one. */
static inline uint32_t extend(const uint32_t *clock, uint32_t history, plain_access access,
                              uint32_t location, bool *raced) {
    access_record latest = {
        .time = clock[plain_thread(access)], .location = location, .access = access};
    DEBUG_CHECK(plain_bytes(access) && latest.time);
    if (history && is_repeated(&vector_at_fast(&race.records, history), &latest)) {
        return history;
    }
    latest.next = unlikely(runtime.thorough) ? UNUSUAL
                  : is_write(access)         ? rest_of_write(clock, history, access)
                                             : rest_of_read(clock, history, access);
    return likely(latest.next != UNUSUAL) ? push_record(&latest)
                                          : extend_slowly(clock, history, latest, raced);
}

/* ---- races ---- */

static uint8_t shifted(uint32_t bytes, uint32_t half) {
    return (uint8_t)(bytes << half * HALF_SIZE);
}

static void report_with(runtime_thread *t, const access_record *r, memory_access a, uint32_t half,
                        uint8_t mode, uint32_t location) {
    other_access other = {.thread = plain_thread(r->access),
                          .location = r->location,
                          .bytes = shifted(plain_bytes(r->access), half),
                          .mode = plain_mode(r->access)};
    race_report_access(t, a, mode, location, &other);
}

/* All that the access races with, because each of them is promoted. */
static __attribute__((noinline)) void report(runtime_thread *t, uint32_t object, uint32_t half,
                                             uint32_t history, plain_access access,
                                             uint32_t location) {
    const uint32_t *clock = race_row(t->clock);
    access_record latest = {.location = location, .access = access};
    memory_access a = {
        .object = object, .bytes = shifted(plain_bytes(access), half), .mode = plain_mode(access)};
    for (; history; history = vector_at(&race.records, history).next) {
        const access_record *r = &vector_at(&race.records, history);
        if (races(r, &latest, clock)) {
            report_with(t, r, a, half, a.mode, location);
        }
    }
}

__attribute__((noinline)) void race_check_plain(runtime_thread *t, const shadow *s, memory_access a,
                                                uint8_t mode, uint32_t location) {
    const uint32_t *clock = race_row(t->clock);
    for (uint32_t half = 0; half < RACE_HALVES; half++) {
        for (uint32_t link = s->histories[half]; link; link = vector_at(&race.records, link).next) {
            const access_record *r = &vector_at(&race.records, link);
            bool conflicts = (shifted(plain_bytes(r->access), half) & a.bytes) &&
                             ((plain_mode(r->access) | mode) & ACCESS_WRITE);
            if (conflicts && r->time > clock[plain_thread(r->access)]) {
                report_with(t, r, a, half, mode, location);
            }
        }
    }
}

/* ---- steps of histories ---- */

static inline history_step *find_step(uint32_t history, plain_access access, uint32_t location) {
    uint32_t hash = (history * 0x9e3779b1u) ^ (location * 0x85ebca6bu) ^ access << 16;
    return &steps[hash >> (32 - STEPS_BITS)];
}

static inline bool is_known(const history_step *s, uint32_t history, plain_access access,
                            uint32_t location) {
    DEBUG_CHECK(!(history & RACE_OWNED) || s->before != history);
    return s->before == history && s->location == location && s->access == access &&
           s->stamp == race.stamp;
}

/* The thread makes more than a few accesses between two changes of its clock, or two by the same
 * code, as in a loop: steps are remembered from now on. */
static bool is_worth_it(uint32_t location) {
    if (accesses.stamp != race.stamp) {
        accesses.stamp = race.stamp;
        accesses.count = 0;
        accesses.latest = LOCATION_NONE;
    }
    bool again = accesses.latest == location;
    accesses.latest = location;
    if (++accesses.count < FEW_ACCESSES && !again) {
        return false;
    }
    accesses.remembering = race.stamp;
    return true;
}

static __attribute__((noinline)) void remember(uint32_t history, uint32_t after,
                                               plain_access access, uint32_t location) {
    *find_step(history, access, location) = (history_step){.stamp = race.stamp,
                                                           .before = history,
                                                           .after = after,
                                                           .location = location,
                                                           .access = access};
}

/* One word, or two that have the same history. */
static inline void change_words(uint32_t *words, uint32_t count, uint32_t history) {
    if (*words != history) {
        if (*words < race.mark.records) {
            race_note_words(words, count);
        }
        words[0] = history;
        if (count == 2) {
            words[1] = history;
        }
    }
}

bool race_words_are_noted(uint32_t history) {
    return history >= race.mark.records;
}

/* Before anything is read: histories change their numbers. */
static inline void keep_few(void) {
    if (unlikely(race.records.count >= race.crowd)) {
        race_collect();
    }
}

/* One half of an object that has a shadow. */
static void access_shadow(runtime_thread *t, uint32_t object, uint32_t half, plain_access access,
                          uint32_t location) {
    keep_few();
    shadow *s = race_shadow_of(object);
    uint32_t history = s->histories[half];
    bool raced = false;
    s->histories[half] = extend(race_row(t->clock), history, access, location, &raced);
    if (raced) {
        report(t, object, half, history, access, location);
    }
    if (s->cell.bytes) {
        memory_access a = {.object = object,
                           .bytes = shifted(plain_bytes(access), half),
                           .mode = plain_mode(access)};
        race_check_atomic(t, s, a, location);
    }
}

static uint32_t half_of(const uint32_t *word) {
    return (uint32_t)(space_history_address(word) / HALF_SIZE % RACE_HALVES);
}

/* Nothing is remembered of such an access to one word, or to two that have the same history. */
static inline __attribute__((always_inline)) void access_anew(runtime_thread *t, uint32_t *words,
                                                              uint32_t count, plain_access access,
                                                              uint32_t location) {
    uint32_t history = *words;
    bool raced = false;
    if (unlikely(history & RACE_OWNED)) {
        for (uint32_t i = 0; i < count; i++) {
            access_shadow(t, history & ~RACE_OWNED, half_of(words + i), access, location);
        }
        return;
    }
    if (unlikely(race.records.count >= race.crowd)) {
        race_collect();
        history = *words;
    }
    uint32_t after = extend(race_row(t->clock), history, access, location, &raced);
    change_words(words, count, after);
    if (likely(!raced)) {
        if (is_worth_it(location)) {
            remember(history, after, access, location);
        }
        return;
    }
    uint32_t object = space_object(space_history_address(words));
    for (uint32_t i = 0; i < count; i++) {
        report(t, object, half_of(words + i), history, access, location);
    }
}

/* Returns NULL: nothing was remembered. */
static __attribute__((noinline)) const history_step *access_one_anew(runtime_thread *t,
                                                                     uint32_t *word,
                                                                     plain_access access,
                                                                     uint32_t location) {
    access_anew(t, word, 1, access, location);
    return NULL;
}

static __attribute__((noinline)) const history_step *access_two_anew(runtime_thread *t,
                                                                     uint32_t *words,
                                                                     plain_access access,
                                                                     uint32_t location) {
    access_anew(t, words, 2, access, location);
    return NULL;
}

/* If it was remembered, nothing else has to be done. */
static inline const history_step *use_remembered(uint32_t *words, uint32_t count,
                                                 plain_access access, uint32_t location) {
    uint32_t history = *words;
    if (accesses.remembering != race.stamp) {
        return NULL;
    }
    const history_step *s = find_step(history, access, location);
    if (unlikely(!is_known(s, history, access, location))) {
        return NULL;
    }
    change_words(words, count, s->after);
    return s;
}

/* What is new is left to another function by its last call: this saves no registers. */
static inline const history_step *access_half(runtime_thread *t, uint32_t *word,
                                              plain_access access, uint32_t location) {
    const history_step *s = use_remembered(word, 1, access, location);
    return s ? s : access_one_anew(t, word, access, location);
}

/* Some bytes of both halves. */
static __attribute__((noinline)) const history_step *access_halves(runtime_thread *t,
                                                                   uint32_t *words, uint32_t bytes,
                                                                   uint8_t mode,
                                                                   uint32_t location) {
    access_half(t, words, plain_access_of(t, bytes & HALF_BYTES, mode), location);
    access_half(t, words + 1, plain_access_of(t, bytes >> HALF_SIZE, mode), location);
    return NULL;
}

/* A whole granule, whose halves usually have the same history. */
static inline const history_step *access_granule(runtime_thread *t, uint32_t *words, uint8_t mode,
                                                 uint32_t location) {
    plain_access access = plain_access_of(t, HALF_BYTES, mode);
    if (unlikely(words[0] != words[1])) {
        return access_halves(t, words, 0xff, mode, location);
    }
    const history_step *s = use_remembered(words, 2, access, location);
    return s ? s : access_two_anew(t, words, access, location);
}

const history_step *race_access(runtime_thread *t, uintptr_t address, size_t size, uint8_t mode,
                                uint32_t location) {
    uint32_t first = address & (HALF_SIZE - 1);
    DEBUG_CHECK(size && (address & 7) + size <= GRANULE_SIZE);
    uint32_t *word = space_history(address);
    if (likely(first + size <= HALF_SIZE)) {
        return access_half(t, word, plain_access_of(t, ((1u << size) - 1) << first, mode),
                           location);
    }
    if (likely(size == GRANULE_SIZE)) {
        return access_granule(t, word, mode, location);
    }
    return access_halves(t, word, ((1u << size) - 1) << first, mode, location);
}

void race_range(runtime_thread *t, uintptr_t address, size_t size, uint8_t mode,
                uint32_t location) {
    uintptr_t end = address + size;
    while (runtime.races && address < end) {
        size_t room = GRANULE_SIZE - (address & 7),
               here = end - address < room ? end - address : room;
        race_access(t, address, here, mode, location);
        address += here;
    }
}

void race_known_range(runtime_thread *t, uintptr_t address, size_t size, uint8_t mode,
                      uint32_t location) {
    CHECK(address % GRANULE_SIZE == 0 && size % GRANULE_SIZE == 0);
    for (uintptr_t end = address + size; runtime.races && address < end; address += GRANULE_SIZE) {
        const uint32_t *words = space_history(address);
        if (unlikely(words[0] | words[1])) {
            race_access(t, address, GRANULE_SIZE, mode, location);
        }
    }
}

/* An object that a step has accessed, memory or not. */
static void access_object(runtime_thread *t, memory_access a, uint32_t location) {
    for (uint32_t half = 0; half < RACE_HALVES; half++) {
        uint32_t bytes = a.bytes >> half * HALF_SIZE & HALF_BYTES;
        if (bytes) {
            access_shadow(t, a.object, half, plain_access_of(t, bytes, a.mode), location);
        }
    }
}

void race_accesses(runtime_thread *t, footprint f, uint32_t location) {
    for (uint32_t i = 0; i < footprint_count(f); i++) {
        access_object(t, footprint_access(f, i), location);
    }
}

void race_allocate(runtime_thread *t, uintptr_t address, size_t size, uint32_t location) {
    if (!runtime.races || section_tried()) {
        return;
    }
    keep_few();
    plain_access access = plain_access_of(t, HALF_BYTES, ACCESS_WRITE);
    bool raced = false;
    uint32_t begun = extend(race_row(t->clock), 0, access, location, &raced);
    uintptr_t start = address & ~(uintptr_t)(HALF_SIZE - 1);
    for (uintptr_t at = start; at < address + size; at += HALF_SIZE) {
        uint32_t *word = space_history(at);
        if (!(*word & RACE_OWNED)) {
            change_words(word, 1, begun);
            continue;
        }
        shadow *s = race_shadow_of(*word & ~RACE_OWNED);
        s->histories[half_of(word)] = begun;
        s->cell = (atomic_cell){0};
    }
}
