#include "targets/runtime/sync/waiters.h"

#include "targets/runtime/sync/clock.h"
#include "targets/runtime/sync/rounds.h"

void waiters_enter(runtime_thread *t, uint32_t index) {
    DEBUG_CHECK(!t->waits_in && index);
    t->waits_in = index;
    t->woken = false;
    sync_log(index);
    sync_object_at(index)->waiters++;
}

void waiters_leave(runtime_thread *t) {
    DEBUG_CHECK(t->waits_in && sync_object_at(t->waits_in)->waiters);
    sync_log(t->waits_in);
    sync_object_at(t->waits_in)->waiters--;
    t->waits_in = 0;
}

uint32_t waiters_collect(uint32_t index, uint32_t *numbers) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < runtime.thread_count; i++) {
        const runtime_thread *t = &runtime.threads[i];
        if (t->status == THREAD_LIVE && t->waits_in == index) {
            numbers[count++] = i;
        }
    }
    return count;
}

void waiters_wake(runtime_thread *waker, uint32_t number) {
    runtime_thread *t = &runtime.threads[number];
    CHECK(number < runtime.thread_count && t->waits_in && !t->woken);
    section_log((uintptr_t)t, sizeof *t);
    undo_record(t);
    waiters_leave(t);
    t->woken = true;
    rounds_forget(t);
    t->waker_thread = waker->number;
    t->waker_events = waker->events;
    clock_follow(t, waker);
}

uint32_t waiters_wake_all(runtime_thread *waker, uint32_t index) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < runtime.thread_count && sync_object_at(index)->waiters; i++) {
        if (runtime.threads[i].status == THREAD_LIVE && runtime.threads[i].waits_in == index) {
            waiters_wake(waker, i);
            count++;
        }
    }
    DEBUG_CHECK(!sync_object_at(index)->waiters);
    return count;
}

static void refresh_choice(runtime_thread *t) {
    static uint32_t waiters[RUNTIME_MAX_THREADS];
    bool any = sync_object_at(t->sync)->waiters != 0;
    t->pending.choice_count = any ? waiters_collect(t->sync, waiters) : 0;
    DEBUG_CHECK(t->pending.choice_count == sync_object_at(t->sync)->waiters);
    t->pending.choices = waiters;
}

const refresh_rule waiters_choice_rule = {.update = refresh_choice};

void waiters_set_causes(runtime_thread *t, bool woken) {
    uint32_t count = t->events == 0 && t->number != RUNTIME_MAIN;
    if (woken) {
        t->causes[count++] = (cause){t->waker_thread, t->waker_events};
    }
    t->pending.causes = t->causes; /* a time-out that was due had others */
    t->pending.cause_count = count;
    t->pending.supply_count = 0;
}
