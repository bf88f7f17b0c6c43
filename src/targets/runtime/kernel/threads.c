#include "targets/runtime/kernel/threads.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "base/block.h"
#include "base/limit.h"
#include "base/witness.h"
#include "targets/runtime/kernel/access.h"
#include "targets/runtime/kernel/cleanup.h"
#include "targets/runtime/kernel/entry.h"
#include "targets/runtime/kernel/exit.h"
#include "targets/runtime/kernel/frame.h"
#include "targets/runtime/kernel/keys.h"
#include "targets/runtime/kernel/location.h"
#include "targets/runtime/kernel/ranges.h"
#include "targets/runtime/kernel/stack.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/kernel/undo_images.h"
#include "targets/runtime/memory/heap.h"
#include "targets/runtime/memory/hidden.h"
#include "targets/runtime/memory/space.h"
#include "targets/runtime/race/race.h"
#include "targets/runtime/sync/cancel.h"
#include "targets/runtime/sync/clock.h"
#include "targets/runtime/sync/mutex.h"
#include "targets/runtime/sync/section.h"

static runtime_thread threads[RUNTIME_MAX_THREADS] WITNESS;
WITNESS_ANNOUNCE(threads)

void threads_open(void) {
    witness_zero(threads, sizeof threads);
    runtime.threads = threads;
    runtime.starting = memory_resize(NULL, 0, RUNTIME_MAX_THREADS * sizeof(uint32_t));
    threads_open_numbers();
}

void threads_close(void) {
    runtime.threads = NULL;
    memory_resize(runtime.starting, RUNTIME_MAX_THREADS * sizeof(uint32_t), 0);
    threads_close_numbers();
}

/* Clears everything but what outlives an execution. */
static void clear(runtime_thread *t) {
    heap_end(t);
    thread_lasting lasting = threads_lasting(t);
    block_clear(t, runtime_record_size(t));
    threads_put_lasting(t, &lasting);
}

/* `above`: bytes that lie above its thread-local variables. */
static void start_thread(uint32_t number, size_t above) {
    runtime_thread *t = &runtime.threads[number];
    CHECK(number < RUNTIME_MAX_THREADS && number < threads_known());
    CHECK(t->status == THREAD_NONE || number == RUNTIME_MAIN || number >= runtime.thread_count);
    if (undo.unit) {
        undo_log_start(number);
    }
    images_spoil(number);
    clear(t);
    t->unit = t->record_unit = undo.unit;
    t->number = number;
    t->status = THREAD_LIVE;
    t->random = (random_source){number + 1};
    heap_start(t);
    stack_prepare(t, above);
    fiber_prepare(&t->context, t->tls);
    CHECK(t->context.stack_pointer > t->stack_used);
    if (number >= runtime.thread_count) {
        runtime.thread_count = number + 1;
    }
}

/* The rest is cleared when it starts again. */
void threads_undo_start(uint32_t number) {
    runtime_thread *t = &runtime.threads[number];
    CHECK(number != RUNTIME_MAIN && t->status != THREAD_NONE);
    heap_shrink(t, heap_first(number));
    t->heap.next = heap_first(number);
    t->heap.wide_count = 0;
    t->status = THREAD_NONE;
}

void threads_reset(void) {
    for (uint32_t i = 1; i < runtime.thread_count; i++) {
        runtime.threads[i].status = THREAD_NONE;
    }
    runtime.thread_count = 0;
    start_thread(RUNTIME_MAIN, entry_size());
    entry_place(&runtime.threads[RUNTIME_MAIN]);
    race_thread(&runtime.threads[RUNTIME_MAIN], NULL);
}

/* ---- life of a thread ---- */

/* When main returns, its frame stays as it was for the threads that run on: what is still to be
 * done is done below all that there was when it created one. */
_Noreturn static inline __attribute__((always_inline)) void return_from_main(runtime_thread *t,
                                                                             int status) {
    uintptr_t low = t->kept_low;
    CHECK(t->number == RUNTIME_MAIN && !t->returned);
    t->returned = true;
    if (low) {
        fiber_leave_stack(low & ~(uintptr_t)15, heddle_exit, status);
    }
    heddle_exit(status);
}

_Noreturn void runtime_thread_main(void) {
    runtime_thread *t = runtime.current;
    if (t->number != RUNTIME_MAIN) {
        heddle_pthread_exit(t->start(t->argument));
    }
    return_from_main(t, entry_call(t));
}

static bool is_last(const runtime_thread *t) {
    for (uint32_t i = 0; i < runtime.thread_count; i++) {
        uint8_t status = runtime.threads[i].status;
        if (i != t->number && (status == THREAD_LIVE || status == THREAD_STOPPED)) {
            return false;
        }
    }
    return true;
}

/* If main has ended in this way, the last thread ends the process like exit(0). Who is the last one
 * matters if there is something to be done at the exit: threads then end by a step. */
static void end_last(runtime_thread *t, const void *here) {
    if (!exit_does_something() || !(t->number == RUNTIME_MAIN || hidden_changes(HIDDEN_RUNNING))) {
        return;
    }
    hidden_change(HIDDEN_RUNNING, here);
    if (is_last(t) && !runtime.exited) {
        heddle_exit(0);
    }
}

_Noreturn void heddle_pthread_exit(void *result) {
    runtime_thread *t = runtime.current;
    t->result = result;
    cleanup_run(t);
    keys_destroy(t);
    mutex_leave_robust(t);
    frame_end_thread(t, __builtin_return_address(0));
    cancel_end(t, LOCATION_HERE());
    end_last(t, __builtin_return_address(0));
    runtime_leave(t, THREAD_ENDED);
}

uint32_t threads_location(uint32_t number) {
    CHECK(number < RUNTIME_MAX_THREADS);
    return threads[number].pending.location;
}

static uint32_t child_number(runtime_thread *t) {
    uint32_t number;
    if (!threads_number_child(t->number, t->creations, &number)) {
        limit_reached(LIMIT_THREADS);
        space.target->cut = true;
        runtime_leave(t, THREAD_STOPPED);
    }
    return number;
}

static bool starts_detached(const pthread_attr_t *attributes) {
    int state = PTHREAD_CREATE_JOINABLE;
    return attributes && pthread_attr_getdetachstate(attributes, &state) == 0 &&
           state == PTHREAD_CREATE_DETACHED;
}

FIBER_RETURN runtime_thread *threads_create(runtime_thread *t, void *(*start)(void *),
                                            void *argument, uint32_t location) {
    uint32_t number = child_number(t);
    uintptr_t here = FIBER_CALLER_STACK() - sizeof(uint64_t);
    t->kept_low = t->kept_low && t->kept_low < here ? t->kept_low : here;
    runtime_prepare(t, OPERATION_SPAWN, number, FOOTPRINT_EMPTY, location);
    runtime_park(t);
    t->creations++;
    start_thread(number, 0);
    if (fiber_environments) {
        fiber_inherit(&runtime.threads[number].context);
    }
    runtime_thread *child = &runtime.threads[number];
    child->start = start;
    child->argument = argument;
    child->creator = t->number;
    child->causes[0] = (cause){t->number, t->events};
    race_thread(child, t);
    clock_follow(child, t);
    child->signal_mask = t->signal_mask;
    threads_set_priority(child, t->policy, t->priority);
    CHECK(child->status == THREAD_LIVE && runtime.starting_count < RUNTIME_MAX_THREADS);
    runtime.starting[runtime.starting_count++] = number;
    runtime.scripted = THREAD_ANY; /* the scheduler starts it */
    t->value = number;
    return child;
}

FIBER_RETURN pthread_t threads_start(runtime_thread *t, const pthread_attr_t *attributes,
                                     void *(*start)(void *), void *argument, const char *what,
                                     uint32_t location) {
    section_forbid(t, what, location);
    bool detached = starts_detached(attributes);
    runtime_thread *child = threads_create(t, start, argument, location);
    child->detached = detached;
    return (pthread_t)child->number + 1;
}

/* What the attributes say of it, unless they leave it to the creator's. */
static void find_priority(const pthread_attr_t *attributes, int *policy, int *priority) {
    int inherits = PTHREAD_INHERIT_SCHED;
    if (attributes && pthread_attr_getinheritsched(attributes, &inherits) == 0 &&
        inherits == PTHREAD_EXPLICIT_SCHED) {
        struct sched_param wanted;
        pthread_attr_getschedpolicy(attributes, policy);
        pthread_attr_getschedparam(attributes, &wanted);
        *priority = wanted.sched_priority;
    }
}

FIBER_RETURN int heddle_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                                       void *(*start)(void *), void *argument) {
    runtime_thread *t = runtime.current;
    if (!t) {
        return EAGAIN; /* in a constructor */
    }
    reads(attributes, attributes ? sizeof *attributes : 0, HERE);
    int policy = t->policy, priority = t->priority;
    find_priority(attributes, &policy, &priority);
    bool inherited = policy == t->policy && priority == t->priority;
    if (!inherited && !threads_can_have(policy, priority)) {
        return EINVAL;
    }
    pthread_t id = threads_start(t, attributes, start, argument, "pthread_create", LOCATION_HERE());
    threads_set_priority(threads_by_id(id), policy, priority);
    access_plain(thread, sizeof *thread, ACCESS_WRITE, __builtin_return_address(0));
    *thread = id;
    if (unlikely(runtime.exact)) { /* a frame of the program may lie there next */
        runtime_clear_dead_stack();
    }
    return 0;
}

runtime_thread *threads_by_id(pthread_t id) {
    if (id == 0 || id > runtime.thread_count) {
        return NULL;
    }
    runtime_thread *t = &runtime.threads[id - 1];
    return t->status == THREAD_NONE ? NULL : t;
}

pthread_t heddle_pthread_self(void) {
    return runtime.current ? (pthread_t)runtime.current->number + 1 : 0;
}

int heddle_pthread_equal(pthread_t first, pthread_t second) {
    return first == second;
}

bool threads_is_alone(const runtime_thread *t) {
    for (uint32_t i = 0; i < runtime.thread_count; i++) {
        if (i != t->number && runtime.threads[i].status == THREAD_LIVE) {
            return false;
        }
    }
    return true;
}
