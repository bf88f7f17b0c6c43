#include "targets/runtime/sync/rounds.h"

#include <string.h>
#include <unwind.h>

#include "base/hash_index.h"
#include "targets/runtime/kernel/location.h"
#include "targets/runtime/kernel/spin_places.h"
#include "targets/runtime/kernel/spin_sync.h"
#include "targets/runtime/kernel/spin_table.h"
#include "targets/runtime/libc/channel_timers.h"
#include "targets/runtime/memory/globals.h"
#include "targets/runtime/memory/heap.h"
#include "targets/runtime/memory/space.h"
#include "targets/runtime/sync/clock.h"
#include "targets/runtime/sync/sync.h"

/* ---- times ---- */

/* A word is taken for a time if it is at most this many seconds after the start of a clock;
 * addresses are not in that range. */
enum { SPAN = 30000 };

static const uint64_t units[] = {1, 1000, 1000000, 1000000000}; /* of a second */
enum { UNIT_COUNT = sizeof units / sizeof *units };

/* What a clock shows, in so many units of a second. */
static bool is_time(uint64_t word, uint64_t unit) {
    return word / unit - REAL_SECOND < SPAN || word / unit - MONOTONIC_SECOND < SPAN;
}

/* The word may be a time: one of 64 bits, of 32, or a number of seconds with a fraction. */
static bool may_be_time(uint64_t word) {
    double number;
    _Static_assert(sizeof number == sizeof word, "a word may be a number with a fraction");
    memcpy(&number, &word, sizeof number);
    bool found = is_time((uint32_t)word, 1) || is_time(word >> 32, 1);
    for (uint32_t i = 0; i < UNIT_COUNT; i++) {
        double low = (double)units[i] * MONOTONIC_SECOND;
        double high = (double)units[i] * (REAL_SECOND + SPAN);
        found |= is_time(word, units[i]) || (number >= low && number < high);
    }
    return found;
}

static void look_for_times(void *found, uintptr_t low, uintptr_t high) {
    for (uintptr_t at = (low + 7) & ~(uintptr_t)7; at + 8 <= high; at += 8) {
        *(bool *)found |= may_be_time(*(const uint64_t *)at);
    }
}

/* Anywhere but in stacks that only their own threads have accessed. */
static bool are_times_elsewhere(void) {
    bool found = clock_counts_from_zero() || channel_timers_are_armed();
    globals_visit(look_for_times, &found);
    for (uint32_t i = 0; i < runtime.thread_count && !found; i++) {
        uintptr_t low = heap_first(i), next = runtime.threads[i].heap.next;
        look_for_times(&found, low, next > low ? next : low);
    }
    for (uint32_t i = 0; i < space_shared_count() && !found; i++) {
        uintptr_t granule = space_shared_granule(i);
        look_for_times(&found, granule, granule + sizeof(uint64_t));
    }
    return found;
}

/* ---- local states ---- */

typedef struct comparison {
    spin_bytes before, now;
    uint64_t shift; /* how much later it is */
} comparison;

/* Seconds and a fraction, one after the other. */
static bool is_pair_later(const uint64_t *before, const uint64_t *now, uint64_t shift) {
    uint64_t seconds = now[0] - before[0];
    for (uint32_t i = 2; i < UNIT_COUNT; i++) {
        uint64_t unit = units[i], length = units[UNIT_COUNT - 1] / unit;
        if (before[1] < unit && now[1] < unit && shift % length == 0 &&
            seconds * unit + now[1] - before[1] == shift / length) {
            return true;
        }
    }
    return false;
}

static bool is_word_later(uint64_t before, uint64_t now, uint64_t shift) {
    for (uint32_t i = 0; i < UNIT_COUNT; i++) {
        uint64_t unit = units[i], length = units[UNIT_COUNT - 1] / unit;
        if (is_time(before, unit) && is_time(now, unit) && shift % length == 0 &&
            now - before == shift / length) {
            return true;
        }
    }
    return false;
}

/* How many words match at the first position: equal, or times that are later by `shift`; 0: none.
 */
static size_t match(const comparison *c, const uint64_t *before, const uint64_t *now, size_t left) {
    if (c->shift && is_time(*before, 1) && is_time(*now, 1) && left > 1 &&
        is_pair_later(before, now, c->shift)) {
        return 2;
    }
    bool later = c->shift && is_word_later(*before, *now, c->shift);
    return later || (*before == *now && !(c->shift && is_time(*now, 1))) ? 1 : 0;
}

static bool is_same(const comparison *c) {
    if (c->before.size != c->now.size) {
        return false;
    }
    const uint64_t *before = (const uint64_t *)c->before.bytes;
    const uint64_t *now = (const uint64_t *)c->now.bytes;
    size_t count = c->now.size / sizeof *now, matched = 1;
    CHECK(c->now.size % sizeof *now == 0 && c->now.time >= c->before.time);
    for (size_t i = 0; i < count && matched; i += matched) {
        matched = match(c, before + i, now + i, count - i);
    }
    return matched && !(c->shift && are_times_elsewhere());
}

/* ---- the program's part of the stack ---- */

typedef struct caller {
    uintptr_t wanted; /* where it continues */
    spin_frame frame;
    bool found;
} caller;

static _Unwind_Reason_Code visit_frame(struct _Unwind_Context *context, void *argument) {
    caller *c = argument;
    if ((uintptr_t)_Unwind_GetIP(context) != c->wanted) {
        return _URC_NO_REASON;
    }
    CHECK(!c->found);
    c->found = true;
    c->frame.resume = c->wanted;
    c->frame.stack_pointer = (uintptr_t)_Unwind_GetCFA(context); /* of the frame below */
    for (uint32_t i = 0; i < SPIN_REGISTERS; i++) {
        c->frame.registers[i] = (uintptr_t)_Unwind_GetGR(context, spin_registers_preserved[i]);
    }
    return _URC_END_OF_STACK;
}

enum { UNWINDER_STACK = 16384 }; /* more than unwinding takes */

/* What unwinding leaves on the stack would be part of later frames. */
static __attribute__((noinline)) void clear_stack(void) {
    RUNTIME_CLEAR_FRAME(UNWINDER_STACK);
}

/* The local state of the running thread in the program's function that has called the runtime. */
static uint32_t present_state(const runtime_thread *t, uint32_t location) {
    caller c = {.wanted = location_address(location)};
    CHECK(t == runtime.current);
    CHECK(runtime.exact); /* what heddle leaves in frames of the program is cleared */
    _Unwind_Backtrace(visit_frame, &c);
    clear_stack();
    return c.found ? spin_number_in(t, &c.frame, location) : SPIN_NONE;
}

/* ---- rounds ---- */

/* A second wait at the same place reveals a loop; from then on local states are compared. */
static void watch(runtime_thread *t, uint32_t location) {
    if (t->round_place == location + 1) {
        spin_want();
        target_make_stale(space.target);
    }
    t->tail_used = true;
    t->round_place = location + 1;
}

bool rounds_same_state(uint32_t before, uint32_t now) {
    if (before == SPIN_NONE || now == SPIN_NONE) {
        return false;
    }
    comparison c = {spin_bytes_of(before), spin_bytes_of(now), 0};
    c.shift = c.now.time - c.before.time;
    return c.now.time >= c.before.time && is_same(&c);
}

/* The locks that it holds while it waits, again and again, are taken in a loop. */
static void mark_locks(const runtime_thread *t) {
    bool takes = spin_is_lock(t->spin_kind); /* the step that has come here */
    bool added = takes && spin_add_mark(t->spin_location, SPIN_MARK_LOOP);
    for (uint32_t i = 0; i < t->spin_taken_count; i++) {
        added |= spin_add_mark(t->spin_taken[i].location, SPIN_MARK_LOOP);
    }
    if (added) {
        target_make_stale(space.target);
    }
}

/* Which of the waits it is, or how many there are. */
static uint32_t find_wait(const runtime_thread *t, const round_wait *now) {
    for (uint32_t i = 0; i < t->round_count; i++) {
        const round_wait *before = &t->rounds[i];
        if (before->held == now->held && rounds_same_state(before->state, now->state)) {
            return i;
        }
    }
    return t->round_count;
}

bool rounds_repeat(runtime_thread *t, uint32_t location) {
    t->round_again = false;
    if (!runtime.spinning) {
        watch(t, location);
        return false;
    }
    t->round_place = location + 1;
    round_wait now = {.state = present_state(t, location), .held = t->round_held};
    if (now.state == SPIN_NONE) {
        rounds_forget(t);
        return false;
    }
    t->round = find_wait(t, &now);
    t->round_again = t->round < t->round_count;
    if (t->round_again) {
        mark_locks(t);
        return true;
    }
    if (t->round_count == ROUNDS_KEPT) {
        rounds_forget(t);
    }
    CHECK(t->round_count < ROUNDS_KEPT);
    t->round = t->round_count++;
    t->tail_used = true;
    t->rounds[t->round] = now;
    return false;
}

bool rounds_is_at_wait(const runtime_thread *t) {
    return runtime.spinning && t->round_place == t->pending.location + 1 &&
           t->round < t->round_count;
}

/* Locks that it has taken and not given back since. */
static bool note_lock(runtime_thread *t, uint32_t object, bool takes) {
    const sync_object *s = sync_by_object(object);
    CHECK(!s || s->object == object);
    uint64_t mark = hash_index_mix(object, 1);
    t->round_held += takes ? mark : -mark;
    return s && !s->observer; /* nobody sees that it is held */
}

void rounds_note(runtime_thread *t, enum operation_kind kind, uint32_t object, bool wrote) {
    bool repeats = operation_has_role(kind, ROLE_REPEATS_TIMED);
    bool is_void = t->round_count && !wrote && repeats;
    if (operation_has_role(kind, ROLE_TRIES)) {
        is_void &= !t->value;
    } else if (kind == OPERATION_READ_FROM) {
        is_void &= t->took_nothing;
    } else if (repeats && operation_has_role(kind, ROLE_TAKES | ROLE_RELEASES)) {
        is_void &= note_lock(t, object, operation_has_role(kind, ROLE_TAKES));
    }
    if (!is_void) {
        rounds_forget(t);
        t->effects++;
    }
}

/* ---- rounds without end ---- */

static uint64_t effects_of_all(void) {
    CHECK(runtime.spinning || !runtime.threads[RUNTIME_MAIN].effects); /* else nobody counts */
    uint64_t sum = 0;
    for (uint32_t i = 0; i < runtime.thread_count; i++) {
        sum += runtime.threads[i].status == THREAD_NONE ? 0 : runtime.threads[i].effects;
    }
    return sum;
}

enum { FEW_TIMEOUTS = 3 };

void rounds_note_timeout(runtime_thread *t) {
    if (!runtime.spinning && ++t->timeouts == FEW_TIMEOUTS) {
        spin_want();
        target_make_stale(space.target);
    }
    if (t->round < t->round_count) {
        t->rounds[t->round].effects = effects_of_all() + 1;
        t->rounds[t->round].events = t->events;
    }
}

static bool is_awaited(uint32_t object, const runtime_thread *by) {
    CHECK(object);
    for (uint32_t i = 0; i < runtime.thread_count; i++) {
        const runtime_thread *other = &runtime.threads[i];
        if (other != by && other->status == THREAD_LIVE && other->pending.object == object) {
            return true;
        }
    }
    return false;
}

/* Another thread waits for a lock that it has taken since the wait timed out, so that it gives it
 * back when that happens again. In a wait for a condition it does not hold the mutex. */
static bool holds_up_others(const runtime_thread *t) {
    for (uint32_t i = 0; i < t->spin_taken_count; i++) {
        const sync_object *s = sync_by_object(t->spin_taken[i].object);
        bool held = s && (s->owner == t->number + 1 || (!s->owner && !s->class->is_usual));
        bool again = t->spin_taken[i].events > t->rounds[t->round].events;
        if (held && again && is_awaited(s->object, t)) {
            return true;
        }
    }
    return false;
}

bool rounds_go_on(const runtime_thread *t) {
    return t->round_again && t->round < t->round_count &&
           t->rounds[t->round].effects == effects_of_all() + 1 && !holds_up_others(t);
}
