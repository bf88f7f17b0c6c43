/* Barriers. An arrival never blocks; a departure comes after all arrivals of its group and never
 * races. Arrivals only read the barrier, which its initialisation and destruction write: who is in
 * which group does not depend on their order as long as no more threads use the barrier than it
 * waits for. When one more comes, arrivals are ordered from then on, and the exploration starts
 * over.
 *
 * Which thread of a group gets PTHREAD_BARRIER_SERIAL_THREAD is open. The one with the least number
 * decides it when it leaves, and the others leave after it: if one of them looks at what the
 * function returns, that is a choice. */
#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "targets/runtime/kernel/location.h"
#include "targets/runtime/kernel/ranges.h"
#include "targets/runtime/kernel/result_use.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/race/race.h"
#include "targets/runtime/sync/marks.h"
#include "targets/runtime/sync/sync.h"

/* What the program's variable holds; `size`: how many threads it waits for. */
typedef struct barrier_memory {
    uint32_t life, size;
} barrier_memory;

static const sync_class barrier_class = {
    .name = "barrier",
    .in_use = "threads wait at",
    .changed = "initialising or destroying a barrier",
    .coarse_for_all = true,
    .life = {.size = sizeof(pthread_barrier_t), .destroyed = 0x64656164, .ready = 0x62617272}};

_Static_assert(sizeof(barrier_memory) <= sizeof(pthread_barrier_t), "it lies in the variable");

static const barrier_memory *memory_of(uint32_t index) {
    return (const barrier_memory *)sync_object_at(index)->address;
}

int heddle_pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *attributes,
                                unsigned count) {
    runtime_thread *t = runtime.current;
    uint32_t location = LOCATION_HERE();
    reads(attributes, attributes ? sizeof *attributes : 0, HERE);
    if (t && !count) {
        runtime_fail(t, ERROR_MISUSE, location, "pthread_barrier_init for 0 threads");
    }
    uint32_t index = sync_init(barrier, &barrier_class, location);
    if (index) {
        sync_log(index);
        sync_clear(sync_object_at(index));
    }
    ((barrier_memory *)barrier)->size = count;
    return 0;
}

int heddle_pthread_barrier_destroy(pthread_barrier_t *barrier) {
    sync_destroy(barrier, &barrier_class, LOCATION_HERE());
    return 0;
}

/* The thread uses the barrier: if it is one too many, the order of arrivals matters. */
static void count_user(runtime_thread *t, uint32_t index) {
    sync_object *s = sync_object_at(index);
    if (!s->coarse && !marks_find(s->users, t->number)) {
        s->users = marks_add(t, 0, s->users);
        if (++s->posted > memory_of(index)->size) {
            sync_make_coarse(index);
        }
    }
}

/* ---- departures ---- */

/* The causes of the departure that was looked at last. */
static cause group[RUNTIME_MAX_THREADS + 1];
static uint32_t members[RUNTIME_MAX_THREADS];

static bool decides(const runtime_thread *t) {
    for (uint32_t mark = t->group; mark; mark = marks_at(mark)->previous) {
        if (marks_at(mark)->thread < t->number) {
            return false;
        }
    }
    return true;
}

/* Whether a thread that has arrived looks at the result. */
static bool someone_looks(const sync_object *s) {
    for (uint32_t mark = s->marks; mark; mark = marks_at(mark)->previous) {
        if (runtime.threads[marks_at(mark)->thread].looks_at_serial) {
            return true;
        }
    }
    return false;
}

static uint32_t list_members(const runtime_thread *t) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < runtime.thread_count; i++) {
        if (marks_find(t->group, i)) {
            members[count++] = i;
        }
    }
    return count;
}

static void refresh_leave(runtime_thread *t) {
    bool looked_at = t->group && t->serial_matters;
    bool chooses = looked_at && decides(t);
    uint32_t count = 0;
    for (uint32_t mark = t->group; mark; mark = marks_at(mark)->previous) {
        CHECK(count < RUNTIME_MAX_THREADS); /* each is in its group once */
        group[count++] = (cause){marks_at(mark)->thread, marks_at(mark)->events};
    }
    if (looked_at && !chooses && t->serial) {
        group[count++] = (cause){t->decider, t->decided};
    }
    t->pending.causes = group;
    t->pending.cause_count = count;
    t->pending.choice_count = chooses ? list_members(t) : 0;
    t->pending.choices = chooses ? members : NULL;
    runtime_set_enabled(t, t->group && (!looked_at || chooses || t->serial));
}

static const refresh_rule leave_rule = {.update = refresh_leave};

/* All threads that have arrived may leave. */
static void complete_group(sync_object *s) {
    bool matters = someone_looks(s);
    for (uint32_t mark = s->marks; mark; mark = marks_at(mark)->previous) {
        runtime_thread *member = &runtime.threads[marks_at(mark)->thread];
        undo_record(member);
        member->group = s->marks;
        member->group_clock = s->clock;
        member->serial_matters = matters;
    }
    DEBUG_CHECK(s->marks && s->count);
    s->marks = s->clock = s->count = 0;
}

static void decide(runtime_thread *t) {
    CHECK(t->choice == CHOICE_NONE || marks_find(t->group, t->choice)); /* one of the group */
    for (uint32_t mark = t->group; mark; mark = marks_at(mark)->previous) {
        runtime_thread *member = &runtime.threads[marks_at(mark)->thread];
        undo_record(member);
        member->serial = (t->choice == CHOICE_NONE ? t->number : t->choice) + 1;
        member->decider = t->number;
        member->decided = t->events;
    }
}

static void arrive(runtime_thread *t, uint32_t index, uint32_t location) {
    const sync_object *s = sync_object_at(index);
    runtime_prepare(t, OPERATION_ARRIVE, s->object,
                    sync_part(s, ACCESS_ALL_BYTES, s->coarse ? ACCESS_READ_WRITE : ACCESS_READ),
                    location);
    runtime_park(t);
    sync_check_usable(t, index, &barrier_class, location);
    sync_log(index);
    count_user(t, index);
    sync_object *arrived = sync_object_at(index);
    arrived->clock = race_release_row(t, arrived->clock);
    DEBUG_CHECK(!marks_find(arrived->marks, t->number)); /* it waits only once */
    arrived->marks = marks_add(t, 0, arrived->marks);
    t->group = t->serial = 0;
    if (++arrived->count == memory_of(index)->size) {
        complete_group(arrived);
    }
}

static FIBER_RETURN int wait_at(pthread_barrier_t *barrier, bool looks, uint32_t location) {
    runtime_thread *t = runtime.current;
    uint32_t index = sync_at(barrier, &barrier_class);
    section_forbid(t, "pthread_barrier_wait", location);
    t->looks_at_serial = looks;
    arrive(t, index, location);
    runtime_prepare(t, OPERATION_LEAVE, sync_object_at(index)->object, FOOTPRINT_EMPTY, location);
    t->refresh = &leave_rule;
    runtime_park(t);
    CHECK(t->group && (!t->serial_matters || decides(t) || t->serial));
    race_acquire_row(t, t->group_clock);
    if (decides(t)) {
        decide(t);
    }
    return t->serial == t->number + 1 ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

int heddle_pthread_barrier_wait(pthread_barrier_t *barrier) {
    if (unlikely(!runtime.current)) {
        return 0;
    }
    runtime_before_park();
    return wait_at(barrier, result_is_used(__builtin_return_address(0)), LOCATION_HERE());
}
