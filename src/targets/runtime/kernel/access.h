/* Announcing accesses to memory: from the callbacks of instrumented code and from the models of
 * libc functions. Each returns when the step is taken; the caller then does the access. */
#ifndef HEDDLE_TARGETS_RUNTIME_KERNEL_ACCESS_H
#define HEDDLE_TARGETS_RUNTIME_KERNEL_ACCESS_H

#include <string.h>

#include "targets/runtime/kernel/location.h"
#include "targets/runtime/kernel/passing.h"
#include "targets/runtime/kernel/runtime.h"
#include "targets/runtime/kernel/spin.h"
#include "targets/runtime/kernel/streak.h"
#include "targets/runtime/memory/heap.h"
#include "targets/runtime/memory/space.h"
#include "targets/runtime/memory/validity.h"
#include "targets/runtime/race/race.h"

/* What is rare: several granules, struct copies, atomic sections, foreign addresses. It may be done
 * in passing unless it is volatile. */
void access_announce(runtime_thread *t, uintptr_t address, size_t size, uint8_t mode,
                     bool is_volatile, const void *return_address);

/* One granule of the program's memory that may be accessed, outside atomic sections. */
static inline bool access_simple(const runtime_thread *t, uintptr_t address, size_t size) {
    return likely(space_holds(address, size) && !t->section_depth && !t->deferred_size);
}

/* The same for a wide block, which has no extents: the one that was looked at before. */
static inline bool access_wide(const runtime_thread *t, uintptr_t address, size_t size) {
    return heap_wide_holds(address, size) && (address & 7) + size <= GRANULE_SIZE &&
           !t->section_depth && !t->deferred_size;
}

static inline footprint access_single(uintptr_t address, size_t size, uint32_t object,
                                      uint8_t mode) {
    DEBUG_CHECK(size && (address & 7) + size <= GRANULE_SIZE);
    uint8_t bytes = (uint8_t)(((1u << size) - 1) << (address & 7));
    return footprint_single((memory_access){.object = object, .bytes = bytes, .mode = mode});
}

/* Up to eight bytes as a number. */
static inline uint64_t access_value(uintptr_t address, size_t size) {
    uint64_t value = 0;
    switch (size) {
        case 1: memcpy(&value, (const void *)address, 1); break;
        case 2: memcpy(&value, (const void *)address, 2); break;
        case 4: memcpy(&value, (const void *)address, 4); break;
        default: memcpy(&value, (const void *)address, size < 8 ? size : 8);
    }
    return value;
}

/* This access need not be announced: it is to the thread's own memory, which no other thread has
 * accessed, and not the source of a copy that others see. For functions that the program calls. */
static inline __attribute__((always_inline)) bool access_silent(const volatile void *place,
                                                                size_t size) {
    runtime_thread *t = runtime.current;
    if (unlikely(!t)) {
        return true;
    }
    uintptr_t address = (uintptr_t)place, offset = address - t->own_low;
    if (offset >= t->own_size) {
        return false;
    }
    if (unlikely(address < FIBER_CALLER_STACK())) {
        validity_fail_dead(t, address, size, __builtin_return_address(0));
    }
    return likely(!t->deferred_size && size <= t->own_size - offset) &&
           !space_any_shared(address, size);
}

/* Volatile accesses are steps, because programs wait for others by them. Under a weak model a value
 * that is waited for in this way races: there they are plain, unless they count as atomic. */
static inline bool access_volatile_is_step(void) {
    return !runtime.versions || runtime.settings.volatiles == VOLATILES_ATOMIC;
}

/* A plain access that is not silent, by the code that returns to return_address. */
static inline __attribute__((always_inline)) void access_park(const volatile void *place,
                                                              size_t size, uint8_t mode,
                                                              bool is_volatile,
                                                              const void *return_address) {
    runtime_thread *t = runtime.current;
    uintptr_t address = (uintptr_t)place;
    uint32_t entry = location_entry(return_address), location = entry & ~LOCATION_MARKS;
    if (unlikely(!access_simple(t, address, size) || (entry & LOCATION_COMPOUND))) {
        access_announce(t, address, size, mode, is_volatile, return_address);
        return;
    }
    DEBUG_CHECK(!t->section_depth && !t->deferred_size);
    bool passing = !(is_volatile && access_volatile_is_step()) && passing_is(entry);
    space_touch(t, address, size);
    if (passing && passing_begin(t, location)) {
        validity_check(t, address, size, mode, location); /* others may have gone first */
        if (mode != ACCESS_READ) {
            undo_write(address, size);
        }
        if (unlikely(runtime.spinning)) {
            spin_note(t, address, size, mode);
        }
        race_plain(t, address, size, mode, location);
        return;
    }
    uint32_t object = space_object(address);
    footprint f = access_single(address, size, object, mode);
    runtime_prepare(t, mode == ACCESS_READ ? OPERATION_READ : OPERATION_WRITE,
                    object | OBJECT_OFFSET(address), f, location);
    t->pending.flags |= passing ? OPERATION_PASSING : 0;
    t->value_address = address;
    t->value_size = mode == ACCESS_READ ? 0 : (uint32_t)size;
    runtime_park(t);
    validity_check(t, address, size, mode, location);
    if (unlikely(runtime.spinning)) {
        spin_note(t, address, size, mode);
    }
    if (mode == ACCESS_READ) { /* here, where a fault is the program's */
        t->value = access_value(address, size);
    } else {
        undo_write(address, size);
    }
    if (is_volatile && runtime.settings.volatiles == VOLATILES_ATOMIC) {
        race_atomic(t, f, mode, __ATOMIC_SEQ_CST, location);
    } else {
        race_plain(t, address, size, mode, location);
    }
    FIBER_LAST_CALL();
}

/* In a replay the thread continues by itself after this access. */
static inline bool access_may_go_on(runtime_thread *t, uintptr_t address, size_t size) {
    return runtime_goes_on(t) && !runtime.exact && !t->dead && access_simple(t, address, size);
}

/* The same in a replay, if the thread continues by itself: its pending operation is not needed.
 * False: it has to park. */
static inline bool access_goes_on(const volatile void *place, size_t size, uint8_t mode,
                                  const void *return_address) {
    runtime_thread *t = runtime.current;
    uintptr_t address = (uintptr_t)place;
    if (!access_may_go_on(t, address, size)) {
        return false;
    }
    uint32_t entry = location_entry(return_address), location = entry & ~LOCATION_MARKS;
    if (unlikely(entry & LOCATION_COMPOUND)) {
        return false;
    }
    space_touch(t, address, size);
    runtime_follow(t);
    if (mode == ACCESS_READ) {
        t->value = access_value(address, size);
    } else {
        undo_write(address, size);
    }
    race_plain(t, address, size, mode, location);
    return true;
}

/* Accesses in passing that the running thread has made since it last parked, reads and writes
 * separately: repeating one of them changes nothing, neither in the race detector nor in the log.
 * Everything that could make a difference begins a new stretch (runtime.stretch): a step, a thread
 * that is resumed, a block that is allocated or freed, a section, a struct copy. */
typedef struct known_access {
    uint64_t key; /* address and size */
    uint64_t stretch;
} known_access;

enum { KNOWN_ACCESSES = 256, KNOWN_SIZE_BITS = 5 };

extern known_access access_known[2][KNOWN_ACCESSES];

static inline known_access *access_find_known(uintptr_t address, uint8_t mode) {
    return &access_known[mode != ACCESS_READ][address / 4 % KNOWN_ACCESSES];
}

static inline uint64_t access_key(uintptr_t address, size_t size) {
    return (uint64_t)address << KNOWN_SIZE_BITS | size;
}

/* An access of at most 16 bytes has been made; not where every one is looked at. */
static inline void access_make_known(uintptr_t address, size_t size, uint8_t mode) {
    if (likely(!runtime.thorough && !runtime.spinning)) {
        known_access *known = access_find_known(address, mode);
        known->key = access_key(address, size);
        known->stretch = runtime.stretch;
    }
}

/* Accesses by that code are done in passing, and the thread may continue with them. */
static inline __attribute__((always_inline)) bool access_passes(const void *return_address) {
    uintptr_t offset = (uintptr_t)return_address - space.text_low;
    return likely(runtime.accesses == ACCESSES_IN_PASSING && offset < space.text_size &&
                  !(location_table[offset] & (LOCATION_PROMOTED | LOCATION_COMPOUND)) &&
                  runtime.current->passed < PASSING_LIMIT);
}

/* It is like earlier ones, so that nothing, or hardly anything, has to be done: most are, and this
 * function saves no registers. */
static inline __attribute__((always_inline)) bool access_repeats(const volatile void *place,
                                                                 size_t size, uint8_t mode,
                                                                 const void *return_address) {
    runtime_thread *t = runtime.current;
    uintptr_t address = (uintptr_t)place;
    const known_access *known = access_find_known(address, mode);
    if (known->key == access_key(address, size) && known->stretch == runtime.stretch) {
        t->passed++;
        return true;
    }
    const access_streak *s = streak_of(return_address, mode);
    if (!streak_has(s, address, size, return_address)) {
        return false;
    }
    t->passed++;
    t->spin_run = mode == ACCESS_READ ? t->spin_run : 0;
    if (s->is_short) {
        access_make_known(address, size, mode);
    }
    return true;
}

/* An access that is not like earlier ones, but an ordinary one. False: it is unusual, and nothing
 * was done. */
static inline __attribute__((always_inline)) bool access_anew(const volatile void *place,
                                                              size_t size, uint8_t mode,
                                                              const void *return_address) {
    runtime_thread *t = runtime.current;
    uintptr_t address = (uintptr_t)place;
    uint32_t location = location_of(return_address);
    bool simple = access_simple(t, address, size);
    if (unlikely(!simple && !access_wide(t, address, size))) {
        return false;
    }
    t->passed++;
    space_touch(t, address, size);
    if (mode != ACCESS_READ) {
        t->spin_run = 0;
        undo_write(address, size);
    }
    access_make_known(address, size, mode);
    if (unlikely(runtime.spinning)) {
        spin_note(t, address, size, mode);
    }
    const history_step *alike = race_access(t, address, size, mode, location);
    if (alike && (size == 4 || size == 8) && address % size == 0 && !runtime.spinning &&
        !runtime.thorough) {
        streak_follow(address, size, mode, return_address, alike, simple ? 0 : heap_wide_end());
    }
    if (unlikely(!simple)) { /* freeing the block is a write to its header */
        race_access(t, (uintptr_t)heap_wide_lately.header, HEAP_LIFE_BYTES, ACCESS_READ, location);
    }
    return true;
}

/* An access that access_passes refuses: a step of a replay? False: nothing was done. */
static inline bool access_refused(const volatile void *place, size_t size, uint8_t mode,
                                  const void *return_address) {
    bool step = runtime.accesses != ACCESSES_IN_PASSING ||
                location_entry(return_address) & LOCATION_PROMOTED;
    return step && access_goes_on(place, size, mode, return_address);
}

/* The same for a volatile one. */
static inline bool access_volatile_usual(const volatile void *place, size_t size, uint8_t mode,
                                         const void *return_address) {
    if (runtime.settings.volatiles == VOLATILES_ATOMIC) {
        return false;
    }
    if (!runtime.versions) {
        return access_goes_on(place, size, mode, return_address);
    }
    return access_passes(return_address) ? access_anew(place, size, mode, return_address)
                                         : access_refused(place, size, mode, return_address);
}

static inline void access_plain(const volatile void *place, size_t size, uint8_t mode,
                                const void *return_address) {
    if (access_silent(place, size)) {
        return;
    }
    bool done = access_passes(return_address) ? access_repeats(place, size, mode, return_address) ||
                                                    access_anew(place, size, mode, return_address)
                                              : access_refused(place, size, mode, return_address);
    if (!done) {
        access_park(place, size, mode, false, return_address);
    }
}

/* The same for two ranges in one step; a range of size 0, or a private one, is left out. */
void access_two(const void *first, size_t first_size, uint8_t first_mode, const void *second,
                size_t second_size, uint8_t second_mode, const void *return_address);

/* The block is about to be freed. */
void access_free(runtime_thread *t, const heap_header *block, uint32_t entry);

/* Pages of a mapping, a wide block, are about to be unmapped or protected, or given back or
 * cleared: a write to all of them. */
enum protect_how { PROTECT_UNMAPS, PROTECT_TAKES, PROTECT_WRITES };
void access_protect(runtime_thread *t, const heap_header *block, uintptr_t low, size_t size,
                    enum protect_how how, uint32_t entry);

/* The access is one of synchronisation objects as well, and so a step: a write over them, or a read
 * of those that the thread does not hold itself. (With versions it is ordered, or a race:
 * sync_race.) */
bool access_has_syncs(uintptr_t start, size_t size, uint8_t mode);

/* Adds them to a footprint that is being made. */
void access_add_syncs(uintptr_t start, size_t size, uint8_t mode);

/* The running thread reads the range in a loop, perhaps: all of it but whether they are held, which
 * a loop that waits by holding one changes itself. */
void access_note_read(runtime_thread *t, uintptr_t start, size_t size);

/* None of them is locked: a lock that comes later could also come before. */
bool access_finds_unlocked(uintptr_t start, size_t size, uint8_t mode);

/* An atomic operation that is not silent. True: the caller performs it, and then calls
 * access_atomic_done with what it did. False: nothing else has to be done. */
bool access_atomic_rare(runtime_thread *t, uintptr_t address, size_t size, enum operation_kind kind,
                        uint8_t mode, const void *return_address);

static inline __attribute__((always_inline)) bool access_atomic(const volatile void *place,
                                                                size_t size,
                                                                enum operation_kind kind,
                                                                uint8_t mode,
                                                                const void *return_address) {
    runtime_thread *t = runtime.current;
    uintptr_t address = (uintptr_t)place;
    if (unlikely(!access_simple(t, address, size))) {
        return access_atomic_rare(t, address, size, kind, mode, return_address);
    }
    space_touch(t, address, size);
    uint32_t object = space_object(address);
    footprint f = access_single(address, size, object, mode);
    t->atomic_footprint = f;
    t->atomic_location = location_of(return_address);
    runtime_prepare(t, kind, object | OBJECT_OFFSET(address), f, t->atomic_location);
    runtime_park(t);
    DEBUG_CHECK(t->pending.kind == kind && t->atomic_footprint == f);
    validity_check(t, address, size, mode, t->atomic_location);
    if (mode & ACCESS_WRITE) {
        undo_write(address, size);
    }
    return true;
}

/* In a replay, like access_goes_on. */
static inline bool access_atomic_goes_on(const volatile void *place, size_t size, uint8_t mode,
                                         const void *return_address) {
    runtime_thread *t = runtime.current;
    uintptr_t address = (uintptr_t)place;
    if (!access_may_go_on(t, address, size)) {
        return false;
    }
    space_touch(t, address, size);
    t->atomic_footprint = access_single(address, size, space_object(address), mode);
    t->atomic_location = location_of(return_address);
    runtime_follow(t);
    if (mode & ACCESS_WRITE) {
        undo_write(address, size);
    }
    return true;
}

static inline void access_atomic_done(uint8_t mode, int order, uint64_t value) {
    runtime_thread *t = runtime.current;
    DEBUG_CHECK(mode && mode <= ACCESS_READ_WRITE && !t->section_depth);
    t->value = value;
    t->spin_run = mode == ACCESS_WRITE ? 0 : t->spin_run;
    space.target->weakly |= order != __ATOMIC_SEQ_CST;
    if (unlikely(runtime.spinning)) {
        spin_note_footprint(t, t->atomic_footprint);
    }
    race_atomic(t, t->atomic_footprint, mode, order, t->atomic_location);
}

/* A compare-and-swap, whose footprint depends on whether it would succeed. What is expected is read
 * by a plain access, and written by one if the comparison fails. */
bool access_compare(const volatile void *address, const void *expected, size_t size,
                    const void *return_address);
void access_compare_done(bool same, int order, int failure_order);

/* Some step compares what an object holds with what it expects (target.compares). */
void access_expect_comparisons(void);

/* --- atomics.c --- */

/* target.h, change_orders */
void atomics_change_orders(target *, const order_change *, uint32_t count);

/* A fence of the current thread. */
void atomics_fence(int order, const void *here);
/* As a step, where versions are kept. A relaxed one orders nothing but what x86 does. */
void atomics_park_fence(int order, const void *here);
/* An atomic load by the current thread. */
uint32_t atomics_load_word(const volatile uint32_t *, int order, const void *here);

#endif
