/* A wait is two steps: it reads the word and, if that holds the expected value, enters the set of
 * waiters; it continues when it is woken. A wake chooses which of the waiters it wakes, because the
 * kernel promises nothing. Neither orders memory for the race detector: who returns from a wait has
 * to look at the word again.
 *
 * Where versions are kept, a step accesses one object. A wait and a wake are then what they are in
 * the kernel: a full barrier and a lock, under which the word is read, which may return an old
 * value, and the set of waiters changed. So a wait that comes after a wake sees what was stored
 * before that, and of a wait and a store that come in either order none is lost. */
#include "targets/runtime/sync/futex.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <string.h>

#include "targets/runtime/kernel/access.h"
#include "targets/runtime/kernel/fail.h"
#include "targets/runtime/kernel/location.h"
#include "targets/runtime/kernel/process.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/sync/clock.h"
#include "targets/runtime/sync/timeout.h"
#include "targets/runtime/sync/waiters.h"

static const sync_class futex_class = {
    .name = "futex", .in_use = "threads wait for", .changed = "", .life = {.size = 4}};

static const sync_class lock_class = {.name = "futex",
                                      .in_use = "is in use",
                                      .changed = "",
                                      .is_enabled = sync_is_unowned,
                                      .life = {.size = 1}};

/* ---- the kernel's lock, where versions are kept ---- */

/* The lock has no memory of its own; objects are distinguished by their addresses. */
static uint32_t lock_of(const uint32_t *word) {
    return sync_at((const char *)word + 1, &lock_class);
}

static void take_lock(runtime_thread *t, const uint32_t *word, const void *here) {
    uint32_t lock = lock_of(word);
    atomics_park_fence(__ATOMIC_SEQ_CST, here);
    sync_block(t, lock, OPERATION_FUTEX_LOCK, location_of(here));
    sync_log(lock);
    sync_object_at(lock)->owner = t->number + 1;
}

static void give_lock(runtime_thread *t, const uint32_t *word, uint32_t location) {
    uint32_t lock = lock_of(word);
    CHECK(sync_owned(t, lock));
    sync_step(t, lock, OPERATION_FUTEX_UNLOCK, location);
    sync_log(lock);
    sync_object_at(lock)->owner = 0;
}

/* ---- waiting ---- */

static void refresh_waiter(runtime_thread *t) {
    operation *o = &t->pending;
    o->kind = OPERATION_FUTEX_RETURN;
    o->flags = 0;
    o->footprint = FOOTPRINT_EMPTY;
    waiters_set_causes(t, t->woken);
    runtime_set_enabled(t, t->woken);
    if (!t->woken && t->times_out) {
        o->footprint = sync_footprint(t->sync);
        timeout_refresh(t);
        if (o->kind != OPERATION_TIMEOUT) {
            o->footprint = FOOTPRINT_EMPTY;
        }
    }
}

static const refresh_rule waiter_rule = {.update = refresh_waiter};
static const refresh_rule timed_rule = {.update = refresh_waiter, .before_step = true};

/* The first step. True: the thread is in the set. */
static bool enter(runtime_thread *t, uint32_t index, const uint32_t *word, uint32_t expected,
                  uint32_t location) {
    uintptr_t address = (uintptr_t)word;
    space_touch(t, address, sizeof *word);
    footprint read = space_footprint(address, sizeof *word, ACCESS_READ);
    CHECK(footprint_count(read) == 1); /* it is aligned */
    memory_access accesses[] = {footprint_access(sync_footprint(index), 0),
                                footprint_access(read, 0)};
    runtime_prepare(t, OPERATION_FUTEX_WAIT, sync_object_at(index)->object,
                    footprint_of(accesses, 2), location);
    runtime_park(t);
    validity_check(t, address, sizeof *word, ACCESS_READ, location);
    race_atomic(t, read, ACCESS_READ, __ATOMIC_RELAXED, location);
    uint32_t found = *(const volatile uint32_t *)word;
    t->value = found;
    if (found != expected) {
        return false;
    }
    waiters_enter(t, index);
    return true;
}

/* The same in several steps, where versions are kept. */
static bool enter_locked(runtime_thread *t, uint32_t index, const uint32_t *word, uint32_t expected,
                         const void *here) {
    uint32_t location = location_of(here);
    take_lock(t, word, here);
    bool equal = atomics_load_word(word, __ATOMIC_RELAXED, here) == expected;
    if (equal) {
        sync_step(t, index, OPERATION_FUTEX_WAIT, location);
        t->value = expected;
        waiters_enter(t, index);
    }
    give_lock(t, word, location);
    return equal;
}

/* Where it may time out at any time, whether it does is a choice, made before; if it does, it may
 * be woken nevertheless. */
static long leave(runtime_thread *t, uint32_t index, uint64_t end, uint32_t location) {
    sync_step(t, index, OPERATION_GIVE_UP, location);
    if (t->woken) {
        return 0;
    }
    waiters_leave(t);
    clock_reach(end);
    return fail_with(ETIMEDOUT);
}

static FIBER_RETURN long wait(const uint32_t *word, uint32_t expected, uint64_t end,
                              const void *here) {
    runtime_thread *t = runtime.current;
    uint32_t index = sync_at(word, &futex_class), location = location_of(here);
    section_forbid(t, "futex wait", location);
    if (end == DEADLINE_INVALID) {
        return fail_with(EINVAL);
    }
    bool early = timeout_may_come_early(t, end, location),
         gives_up = early && process_choose(2, location);
    if (runtime.versions ? !enter_locked(t, index, word, expected, here)
                         : !enter(t, index, word, expected, location)) {
        return fail_with(EAGAIN);
    }
    if (gives_up) {
        return leave(t, index, end, location);
    }
    runtime_prepare(t, OPERATION_FUTEX_RETURN, sync_object_at(index)->object, FOOTPRINT_EMPTY,
                    location);
    t->sync = index;
    if (end != DEADLINE_NONE) {
        timeout_set(t, end);
        t->times_out |= early;
    }
    t->refresh = t->times_out ? &timed_rule : &waiter_rule;
    runtime_park(t);
    if (timeout_clear(t)) {
        clock_reach(end);
        waiters_leave(t);
        return fail_with(ETIMEDOUT);
    }
    CHECK(t->woken);
    return 0;
}

/* ---- waking ---- */

static uint32_t wake_some(runtime_thread *t, uint32_t index, uint32_t most, uint32_t location) {
    runtime_prepare(t, most == 1 ? OPERATION_FUTEX_WAKE : OPERATION_FUTEX_WAKE_ALL,
                    sync_object_at(index)->object, sync_footprint(index), location);
    t->pending.flags |= OPERATION_WAKES;
    t->sync = index;
    if (most == 1) {
        t->pending.flags |= OPERATION_VARIES;
        t->refresh = &waiters_choice_rule;
    }
    runtime_park(t);
    if (most == 1 && t->choice != CHOICE_NONE) {
        waiters_wake(t, t->choice);
        return 1;
    }
    CHECK(most > 1 || !sync_object_at(index)->waiters); /* one of them would have been chosen */
    if (most > 1 && most < sync_object_at(index)->waiters) {
        runtime_fail(t, ERROR_UNSUPPORTED, location,
                     "unsupported: futex wake of %u of %u waiters (1 or all can be woken)", most,
                     sync_object_at(index)->waiters);
    }
    return most > 1 ? waiters_wake_all(t, index) : 0;
}

static FIBER_RETURN long wake(const uint32_t *word, uint32_t most, const void *here) {
    runtime_thread *t = runtime.current;
    uint32_t index = sync_at(word, &futex_class), location = location_of(here);
    section_forbid(t, "futex wake", location);
    if (!runtime.versions) {
        return wake_some(t, index, most, location);
    }
    take_lock(t, word, here);
    uint32_t woken = wake_some(t, index, most, location);
    give_lock(t, word, location);
    return woken;
}

/* ---- the system call ---- */

/* FUTEX_WAIT has a span of time, FUTEX_WAIT_BITSET a point in time. */
static uint64_t end_of(const struct timespec *time, int operation) {
    clockid_t clock = operation & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC;
    if (!time) {
        return DEADLINE_NONE;
    }
    return (operation & FUTEX_CMD_MASK) == FUTEX_WAIT ? clock_after_span(time)
                                                      : clock_deadline(clock, time);
}

long futex_call(uint32_t *address, int operation, uint32_t value, const struct timespec *time,
                uint32_t bits, const void *return_address) {
    int command = operation & FUTEX_CMD_MASK;
    bool has_bits = command == FUTEX_WAIT_BITSET || command == FUTEX_WAKE_BITSET;
    if ((uintptr_t)address % sizeof *address) {
        return fail_with(EINVAL);
    }
    if (has_bits && bits != FUTEX_BITSET_MATCH_ANY) {
        heddle_unsupported("futex with a bit set other than FUTEX_BITSET_MATCH_ANY",
                           return_address);
    }
    switch (command) {
        case FUTEX_WAIT:
        case FUTEX_WAIT_BITSET:
            return wait(address, value, end_of(time, operation), return_address);
        case FUTEX_WAKE:
        case FUTEX_WAKE_BITSET:
            return value ? wake(address, value > INT_MAX ? INT_MAX : value, return_address) : 0;
        default: heddle_unsupported("futex other than wait and wake", return_address);
    }
}
