#include "targets/runtime/sync/cancel.h"

#include <errno.h>
#include <string.h>

#include "targets/runtime/kernel/location.h"
#include "targets/runtime/kernel/process.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/kernel/threads.h"
#include "targets/runtime/memory/space.h"
#include "targets/runtime/race/race.h"
#include "targets/runtime/sync/section.h"
#include "targets/runtime/sync/waiters.h"

enum { NAME_SIZE = 64 };

enum { REQUEST = 1, ENDING = 2, GONE = 4 }; /* bytes of the object */

static uint32_t objects[RUNTIME_MAX_THREADS]; /* in footprints; they outlive executions */

void cancel_close(void) {
    memset(objects, 0, sizeof objects);
}

uint32_t cancel_object(uint32_t thread) {
    uint32_t *object = &objects[thread];
    if (!*object) {
        *object = space_new_number((uintptr_t)&runtime.threads[thread].cancelled);
    }
    return *object;
}

bool cancel_find(uint32_t object, uint32_t *thread) {
    for (*thread = 0; object && *thread < threads_known(); ++*thread) {
        if (objects[*thread] == object) {
            return true;
        }
    }
    return false;
}

static memory_access access_of(const runtime_thread *t, uint8_t bytes, uint8_t mode) {
    return (memory_access){.object = cancel_object(t->number), .bytes = bytes, .mode = mode};
}

footprint cancel_joined(const runtime_thread *t) {
    DEBUG_CHECK(runtime.ends && t->number < runtime.thread_count);
    return footprint_single(access_of(t, ENDING | GONE, ACCESS_READ_WRITE));
}

memory_access cancel_life(const runtime_thread *t) {
    DEBUG_CHECK(runtime.ends);
    return access_of(t, ENDING | GONE, ACCESS_READ);
}

void cancel_end(runtime_thread *t, uint32_t location) {
    if (runtime.ends) {
        runtime_prepare(t, OPERATION_END, t->number,
                        footprint_single(access_of(t, ENDING, ACCESS_READ_WRITE)), location);
        runtime_park(t);
    }
}

/* ---- points ---- */

footprint cancel_add(const runtime_thread *t, footprint f) {
    memory_access accesses[8];
    uint32_t count = footprint_count(f);
    CHECK(count < 8);
    for (uint32_t i = 0; i < count; i++) {
        accesses[i] = footprint_access(f, i);
    }
    accesses[count] = access_of(t, REQUEST, ACCESS_READ);
    return footprint_of(accesses, count + 1);
}

void cancel_refresh(runtime_thread *t) {
    if (!cancel_watches(t)) {
        return;
    }
    operation *o = &t->pending;
    o->footprint = cancel_add(t, o->footprint);
    o->flags |= OPERATION_VARIES | OPERATION_BLOCKS;
    if (t->cancelled) {
        o->flags |= OPERATION_ENABLED;
        o->cause_count = t->events == 0 && t->number != RUNTIME_MAIN;
        o->supply_count = 0;
    }
}

void cancel_act(runtime_thread *t) {
    CHECK(t == runtime.current && t->cancelled);
    t->tail_used = true;
    t->cancel_state = PTHREAD_CANCEL_DISABLE;
    race_acquire_row(t, t->cancel_clock);
    heddle_pthread_exit(PTHREAD_CANCELED);
}

static void look(runtime_thread *t, uint32_t location) {
    runtime_prepare(t, OPERATION_TEST_CANCEL, t->number, cancel_add(t, FOOTPRINT_EMPTY), location);
    runtime_park(t);
}

void cancel_test(uint32_t location) {
    runtime_thread *t = runtime.current;
    look(t, location);
    cancel_check(t);
}

void cancel_test_maybe(uint32_t location) {
    runtime_thread *t = runtime.current;
    look(t, location);
    if (t->cancelled && !t->was_patient && process_choose(2, location)) {
        t->tail_used = true;
        t->was_patient = true;
        return;
    }
    cancel_check(t);
}

void heddle_pthread_testcancel(void) {
    runtime_before_park();
    cancel_point(LOCATION_HERE());
}

/* ---- requests ---- */

void cancel_require_unjoined(runtime_thread *t, const runtime_thread *other, const char *function,
                             uint32_t location) {
    if (other->gone) {
        char name[NAME_SIZE];
        threads_name(other->number, name, sizeof name);
        runtime_fail(t, ERROR_MISUSE, location, "%s of %s, a thread that was joined before",
                     function, name);
    }
}

/* It waits for a condition, and a request would wake it. */
static bool can_be_woken(const runtime_thread *t) {
    return t->status == THREAD_LIVE && t->waits_in && t->wait_is_point &&
           t->cancel_state == PTHREAD_CANCEL_ENABLE;
}

static void refresh_cancel(runtime_thread *t) {
    const runtime_thread *other = &runtime.threads[t->joinee];
    memory_access accesses[3] = {access_of(other, REQUEST, ACCESS_READ_WRITE),
                                 access_of(other, GONE, ACCESS_READ)};
    uint32_t count = 2;
    if (can_be_woken(other)) {
        accesses[count++] = footprint_access(sync_footprint(other->waits_in), 0);
    }
    t->pending.footprint = footprint_of(accesses, count);
}

static const refresh_rule cancel_rule = {.update = refresh_cancel};

int heddle_pthread_cancel(pthread_t id) {
    runtime_thread *t = runtime.current, *other = threads_by_id(id);
    uint32_t location = LOCATION_HERE();
    section_forbid(t, "pthread_cancel", location);
    if (!other) {
        runtime_fail(t, ERROR_MISUSE, location, "pthread_cancel of something that is not a thread");
    }
    runtime_prepare(t, OPERATION_CANCEL, other->number, FOOTPRINT_EMPTY, location);
    t->pending.flags |= OPERATION_VARIES | OPERATION_WAKES;
    t->joinee = other->number;
    t->refresh = &cancel_rule;
    runtime_park(t);
    cancel_require_unjoined(t, other, "pthread_cancel", location);
    if (other->status != THREAD_LIVE || other->cancelled) {
        return 0;
    }
    if (other != t) {
        undo_record(other);
    }
    other->tail_used = true;
    other->cancelled = 1;
    other->cancel_clock = race_release_row(t, 0);
    if (can_be_woken(other)) {
        waiters_wake(t, other->number);
        other->woken_to_end = true;
    }
    return 0;
}
