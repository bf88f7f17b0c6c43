/* Semaphores. Posts are ordered among themselves, and so are waits; a wait comes after the post
 * whose unit it takes, which is another one if it comes earlier or later. The initial units are
 * taken first. Who looks at the value (a trywait, sem_getvalue) is ordered with both.
 *
 * Unless the strategy is fine (target.h), a semaphore whose value is looked at orders more: every
 * wait with every post. That is learnt when it happens, and the exploration starts over. */
#include "targets/runtime/sync/semaphore.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <string.h>

#include "targets/runtime/kernel/access.h"
#include "targets/runtime/kernel/fail.h"
#include "targets/runtime/kernel/location.h"
#include "targets/runtime/kernel/lock_versions.h"
#include "targets/runtime/kernel/spin.h"
#include "targets/runtime/kernel/spin_places.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/race/race.h"
#include "targets/runtime/sync/cancel.h"
#include "targets/runtime/sync/clock.h"
#include "targets/runtime/sync/marks.h"
#include "targets/runtime/sync/sync.h"
#include "targets/runtime/sync/timeout.h"

enum { WAITS = 1, POSTS = 2, BOTH = 3 }; /* bytes of the object: the two chains */
_Static_assert((WAITS & POSTS) == 0 && (WAITS | POSTS) == BOTH, "two independent parts");

static const sync_class semaphore_class = {
    .name = "semaphore",
    .in_use = "",
    .changed = "initialising or destroying a semaphore",
    .life = {.size = sizeof(sem_t), .destroyed = 0x64656164, .ready = 0x73656d61, .shown = 8},
    .always_free = true};

/* ---- footprints ---- */

static bool is_coarse(const sync_object *s) {
    return s->coarse && !space.target->fine;
}

/* A wait that polls (spin.h) looks at what others do before they post. */
static footprint wait_footprint(const sync_object *s, uint32_t location) {
    bool polls = spin_mark_of(location) & SPIN_MARK_WAITS;
    return sync_part(s, polls || is_coarse(s) ? BOTH : WAITS, ACCESS_READ_WRITE);
}

static footprint footprint_of_kind(const sync_object *s, enum operation_kind kind) {
    CHECK(kind != OPERATION_SEMAPHORE_WAIT);
    if (is_coarse(s)) {
        return sync_part(s, BOTH, kind == OPERATION_POST ? ACCESS_READ : ACCESS_READ_WRITE);
    }
    return sync_part(s, kind == OPERATION_POST ? POSTS : BOTH, ACCESS_READ_WRITE);
}

/* ---- units ---- */

/* How many there are is shown in the second word of the program's variable. */
enum { VALUE_OFFSET = sizeof(uint32_t) };

static void show_value(uint32_t index) {
    const sync_object *s = sync_object_at(index);
    sync_show(s, VALUE_OFFSET, s->count);
}

static uint32_t adopt(uint32_t index, uint32_t value, uint32_t location) {
    if (unlikely(runtime.versions)) {
        runtime_fail(runtime.current, ERROR_UNSUPPORTED, location,
                     "unsupported under a weak model: a copy of a semaphore");
    }
    sync_log(index);
    sync_clear(sync_object_at(index));
    sync_object_at(index)->count = value;
    return index;
}

/* The semaphore at the address; a copy of another one begins with its value. Where versions are
 * kept, no value is shown: a copy is one that no initialisation has begun. */
static uint32_t find(const sem_t *semaphore, uint32_t location) {
    uint32_t index = sync_at(semaphore, &semaphore_class);
    const sync_object *s = sync_object_at(index);
    if (unlikely(!sync_seems_usable(s, &semaphore_class))) {
        return index;
    }
    uint32_t shown = *(const uint32_t *)(s->address + VALUE_OFFSET);
    bool same = runtime.versions ? lock_versions_generation(index) : shown == s->count;
    return likely(same) ? index : adopt(index, shown, location);
}

/* The post whose unit is taken next; 0: an initial one is. */
static uint32_t next_post(const sync_object *s) {
    uint32_t left = s->posted - s->taken, mark = s->marks;
    DEBUG_CHECK(s->count && s->taken <= s->posted && left <= s->count);
    if (left != s->count) {
        return 0;
    }
    while (--left > 0) {
        mark = marks_at(mark)->previous;
    }
    return mark;
}

static void take_unit(runtime_thread *t, uint32_t index) {
    sync_object *s = sync_object_at(index);
    CHECK(s->count);
    uint32_t post = next_post(s);
    sync_log(index);
    if (post) {
        race_acquire_row(t, marks_at(post)->clock);
        s->taken++;
    }
    s->count--;
    show_value(index);
    DEBUG_CHECK(s->posted - s->taken <= s->count); /* the initial ones go first */
}

void semaphore_empty(uint32_t index) {
    sync_object *s = sync_object_at(index);
    CHECK(s->class == &semaphore_class);
    s->count = 0;
    s->taken = s->posted;
    show_value(index);
}

static void refresh_wait(runtime_thread *t) {
    const sync_object *s = sync_object_at(t->sync);
    uint32_t count = t->events == 0 && t->number != RUNTIME_MAIN;
    uint32_t post = s->count ? next_post(s) : 0;
    if (post) {
        t->causes[count++] = (cause){marks_at(post)->thread, marks_at(post)->events};
    }
    t->pending.kind = OPERATION_SEMAPHORE_WAIT;
    t->pending.flags = OPERATION_VARIES | OPERATION_BLOCKS;
    t->pending.causes = t->causes;
    t->pending.cause_count = count;
    t->pending.supply_count = post != 0;
    t->pending.footprint = wait_footprint(s, t->pending.location);
    runtime_set_enabled(
        t, s->count || !sync_seems_usable(s, &semaphore_class)); /* a step in error can be taken */
    cancel_refresh(t);
}

static const refresh_rule wait_rule = {.update = refresh_wait};

static void refresh_timed_wait(runtime_thread *t) {
    refresh_wait(t);
    if (!operation_enabled(&t->pending)) {
        timeout_refresh(t);
    }
}

static const refresh_rule timed_rule = {.update = refresh_timed_wait, .before_step = true};

/* ---- functions ---- */

static int init(sem_t *semaphore, unsigned value, uint32_t location) {
    if (value > SEM_VALUE_MAX) {
        return fail_with(EINVAL);
    }
    uint32_t index = sync_init(semaphore, &semaphore_class, location);
    if (index) {
        sync_log(index);
        sync_clear(sync_object_at(index));
        sync_object_at(index)->count = value;
        show_value(index);
    }
    return 0;
}

void semaphore_set_usable(sem_t *semaphore, bool usable) {
    undo_write((uintptr_t)semaphore, sizeof *semaphore);
    *(uint32_t *)(void *)semaphore =
        usable ? semaphore_class.life.ready : semaphore_class.life.destroyed;
}

void semaphore_create(sem_t *semaphore, unsigned value) {
    uint32_t index = sync_at(semaphore, &semaphore_class);
    if (unlikely(runtime.versions)) {
        lock_versions_begin(index);
    }
    sync_log(index);
    sync_clear(sync_object_at(index));
    sync_object_at(index)->count = value;
    semaphore_set_usable(semaphore, true);
    show_value(index);
}

int heddle_sem_init(sem_t *semaphore, int shared, unsigned value) {
    (void)shared; /* there is one process */
    return init(semaphore, value, LOCATION_HERE());
}

int heddle_sem_destroy(sem_t *semaphore) {
    sync_destroy(semaphore, &semaphore_class, LOCATION_HERE());
    return 0;
}

static FIBER_RETURN int wait_for(sem_t *semaphore, uint32_t location) {
    runtime_thread *t = runtime.current;
    uint32_t index = find(semaphore, location);
    section_forbid(t, "sem_wait", location);
    sync_wait(t, index, OPERATION_SEMAPHORE_WAIT, &wait_rule, location);
    cancel_check(t);
    sync_check_usable(t, index, &semaphore_class, location);
    take_unit(t, index);
    return 0;
}

int heddle_sem_wait(sem_t *semaphore) {
    if (unlikely(!runtime.current)) {
        return 0;
    }
    runtime_before_park();
    return wait_for(semaphore, LOCATION_HERE());
}

/* A step that looks at the value. */
static uint32_t look(sem_t *semaphore, const char *what, enum operation_kind kind,
                     uint32_t location) {
    runtime_thread *t = runtime.current;
    uint32_t index = find(semaphore, location);
    section_forbid(t, what, location);
    if (kind == OPERATION_SEMAPHORE_LOOK) {
        spin_note_look(index);
    } else {
        spin_note_try(index);
    }
    sync_make_coarse(index);
    runtime_prepare(t, kind, sync_object_at(index)->object,
                    footprint_of_kind(sync_object_at(index), kind), location);
    runtime_park(t);
    sync_check_usable(t, index, &semaphore_class, location);
    return index;
}

static int try_wait(sem_t *semaphore, const char *what, int refusal, uint32_t location) {
    runtime_thread *t = runtime.current;
    if (!t) {
        return 0;
    }
    uint32_t index = look(semaphore, what, OPERATION_SEMAPHORE_TRY, location);
    if (!sync_object_at(index)->count || lock_versions_fails(t)) {
        return fail_with(refusal);
    }
    take_unit(t, index);
    t->value = 1;
    return 0;
}

int heddle_sem_trywait(sem_t *semaphore) {
    return try_wait(semaphore, "sem_trywait", EAGAIN, LOCATION_HERE());
}

/* Where it may time out whenever it would have to wait, it is a trywait. */
static int wait_until(sem_t *semaphore, uint64_t end, uint32_t location) {
    runtime_thread *t = runtime.current;
    if (end == DEADLINE_INVALID) {
        return fail_with(EINVAL);
    }
    if (timeout_is_try(t, end, location)) {
        int result = try_wait(semaphore, "sem_timedwait", ETIMEDOUT, location);
        clock_result(result ? ETIMEDOUT : 0, end);
        return result;
    }
    uint32_t index = find(semaphore, location);
    section_forbid(t, "sem_timedwait", location);
    timeout_set(t, end);
    spin_note_try(index);
    sync_wait(t, index, OPERATION_SEMAPHORE_WAIT, &timed_rule, location);
    bool timed_out = timeout_clear(t);
    cancel_check(t);
    if (timed_out) {
        clock_reach(end);
        return fail_with(ETIMEDOUT);
    }
    sync_check_usable(t, index, &semaphore_class, location);
    take_unit(t, index);
    return 0;
}

int heddle_sem_timedwait(sem_t *semaphore, const struct timespec *time) {
    return wait_until(semaphore, clock_deadline(CLOCK_REALTIME, time), LOCATION_HERE());
}

int heddle_sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *time) {
    return clock_can_be_waited_by(clock)
               ? wait_until(semaphore, clock_deadline(clock, time), LOCATION_HERE())
               : fail_with(EINVAL);
}

int heddle_sem_getvalue(sem_t *semaphore, int *value) {
    runtime_thread *t = runtime.current;
    uint32_t index = look(semaphore, "sem_getvalue", OPERATION_SEMAPHORE_LOOK, LOCATION_HERE());
    t->value = lock_versions_find_value(t, index);
    access_plain(value, sizeof *value, ACCESS_WRITE, __builtin_return_address(0));
    *value = (int)t->value;
    return 0;
}

static FIBER_RETURN int post(sem_t *semaphore, uint32_t location) {
    runtime_thread *t = runtime.current;
    uint32_t index = find(semaphore, location);
    section_forbid(t, "sem_post", location);
    runtime_prepare(t, OPERATION_POST, sync_object_at(index)->object,
                    footprint_of_kind(sync_object_at(index), OPERATION_POST), location);
    runtime_park(t);
    sync_check_usable(t, index, &semaphore_class, location);
    sync_object *s = sync_object_at(index);
    if (s->count == SEM_VALUE_MAX) {
        return fail_with(EOVERFLOW);
    }
    uint32_t before = s->marks ? marks_at(s->marks)->clock : 0;
    sync_log(index);
    s->marks = marks_add(t, race_release_row(t, before), s->marks);
    s->posted++;
    s->count++;
    show_value(index);
    DEBUG_CHECK(s->posted - s->taken <= s->count);
    return 0;
}

int heddle_sem_post(sem_t *semaphore) {
    if (unlikely(!runtime.current)) {
        return 0;
    }
    runtime_before_park();
    return post(semaphore, LOCATION_HERE());
}
