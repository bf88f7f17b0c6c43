/* pthread_once and call_once. The first caller initialises; the others wait for the end of that.
 * The first call and the end write, all other calls read: a call is a compare-and-swap from 0.
 *
 * The program's variable, which begins with 0, holds the state as well, so that strategies that
 * compare states see it (target.value). */
#include <pthread.h>
#include <setjmp.h>
#include <threads.h>

#include "targets/runtime/kernel/access.h"
#include "targets/runtime/kernel/location.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/race/race.h"
#include "targets/runtime/sync/sync.h"

enum { ONCE_NEW, ONCE_RUNS, ONCE_DONE };
enum { ONCE_BYTES = 0x0f };

_Static_assert(sizeof(once_flag) == sizeof(pthread_once_t), "the same object by two names");

/* The variable may have been freed while the function ran: it must still be alive. */
static void end_function(runtime_thread *t, uint32_t index, enum operation_kind kind,
                         uint32_t location) {
    sync_step(t, index, kind, location);
    sync_check(t, (const void *)sync_object_at(index)->address, sizeof(pthread_once_t), location);
}

static void set_state(uint32_t index, int state) {
    uint32_t before = sync_object_at(index)->count;
    CHECK(state == ONCE_RUNS ? before == ONCE_NEW : before == ONCE_RUNS);
    int *variable = (int *)sync_object_at(index)->address;
    undo_write((uintptr_t)variable, sizeof *variable);
    sync_log(index);
    sync_object_at(index)->count = (uint32_t)state;
    *variable = state;
}

static const sync_class once_class = {.name = "once",
                                      .in_use = "is being initialised",
                                      .changed = "initialising or destroying a once"};

static void refresh_once(runtime_thread *t) {
    const sync_object *s = sync_object_at(t->sync);
    bool first = s->count == ONCE_NEW;
    t->pending.footprint = sync_part(s, ONCE_BYTES, first ? ACCESS_READ_WRITE : ACCESS_READ);
    runtime_set_enabled(t, s->count != ONCE_RUNS);
}

static const refresh_rule once_rule = {.update = refresh_once};

/* The program may have set its variable to its first value again, or to a copy of one that is
 * done. */
static uint32_t find(void *control) {
    uint32_t index = sync_at(control, &once_class);
    uint32_t known = sync_object_at(index)->count, shown = *(const uint32_t *)control;
    if ((known == ONCE_DONE && shown == ONCE_NEW) || (known == ONCE_NEW && shown == ONCE_DONE)) {
        sync_log(index);
        sync_object_at(index)->count = shown;
    }
    return index;
}

/* The thread ends within the function: it is as if it had not been called. */
static _Noreturn void leave(__pthread_unwind_buf_t *place, uint32_t index, uint32_t location) {
    runtime_thread *t = runtime.current;
    CHECK(sync_object_at(index)->count == ONCE_RUNS);
    if (runtime.versions) {
        runtime_fail(t, ERROR_UNSUPPORTED, location,
                     "unsupported under a weak model: the end of a thread within the function of "
                     "pthread_once");
    }
    end_function(t, index, OPERATION_ONCE_LEFT, location);
    set_state(index, ONCE_NEW);
    sync_object_at(index)->clock = race_release_row(t, 0);
    heddle___pthread_unwind_next(place);
}

static void initialise_once(void (*initialise)(void), uint32_t index, uint32_t location) {
    union {
        __pthread_unwind_buf_t handler;
        struct __jmp_buf_tag buffer; /* the same bytes (cleanup.c) */
    } place;
    if (__sigsetjmp(&place.buffer, 0)) {
        leave(&place.handler, index, location);
    }
    heddle___pthread_register_cancel(&place.handler);
    initialise();
    heddle___pthread_unregister_cancel(&place.handler);
}

static FIBER_RETURN void call(void *control, void (*initialise)(void), uint32_t location) {
    runtime_thread *t = runtime.current;
    uint32_t index = find(control);
    section_forbid(t, "pthread_once", location);
    access_expect_comparisons();
    sync_wait(t, index, OPERATION_ONCE, &once_rule, location);
    sync_check(t, control, sizeof(pthread_once_t), location);
    race_acquire_row(t, sync_object_at(index)->clock);
    if (sync_object_at(index)->count == ONCE_DONE) {
        return;
    }
    t->value = 1;
    set_state(index, ONCE_RUNS);
    initialise_once(initialise, index, location);
    end_function(t, index, OPERATION_ONCE_END, location);
    set_state(index, ONCE_DONE);
    sync_object_at(index)->clock = race_release_row(t, 0);
}

int heddle_pthread_once(pthread_once_t *control, void (*initialise)(void)) {
    if (!runtime.current) {
        initialise();
        return 0;
    }
    call(control, initialise, LOCATION_HERE());
    return 0;
}

void heddle_call_once(once_flag *flag, void (*initialise)(void)) {
    if (!runtime.current) {
        initialise();
        return;
    }
    call(flag, initialise, LOCATION_HERE());
}
