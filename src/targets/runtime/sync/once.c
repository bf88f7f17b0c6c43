/* pthread_once and call_once. The first caller initialises; the others wait for the end of that.
 * The first call and the end write, all other calls read: a call is a compare-and-swap from 0.
 *
 * The program's variable, which begins with 0, holds the state as well, so that it can be compared
 * by those who compare (target.value). */
#include <pthread.h>
#include <threads.h>

#include "targets/runtime/kernel/access.h"
#include "targets/runtime/kernel/location.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/race/race.h"
#include "targets/runtime/sync/sync.h"

enum { ONCE_NEW, ONCE_RUNS, ONCE_DONE };
enum { ONCE_BYTES = 0x0f };

_Static_assert(sizeof(once_flag) == sizeof(pthread_once_t), "the same object by two names");

static void set_state(uint32_t index, int state) {
    DEBUG_CHECK((int)sync_object_at(index)->count + 1 ==
                state); /* new, runs, done: in this order */
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

static FIBER_RETURN void call(void *control, void (*initialise)(void), uint32_t location) {
    runtime_thread *t = runtime.current;
    uint32_t index = sync_at(control, &once_class);
    section_forbid(t, "pthread_once", location);
    access_expect_comparisons();
    sync_wait(t, index, OPERATION_ONCE, &once_rule, location);
    sync_check(t, control, sizeof(pthread_once_t), location);
    if (sync_object_at(index)->count == ONCE_DONE) {
        race_acquire_row(t, sync_object_at(index)->clock);
        return;
    }
    t->value = 1;
    set_state(index, ONCE_RUNS);
    initialise();
    sync_step(t, index, OPERATION_ONCE_END, location);
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
