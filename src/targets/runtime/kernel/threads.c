#include "targets/runtime/kernel/threads.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/bytes.h"
#include "base/vector.h"
#include "base/witness.h"
#include "targets/runtime/kernel/access.h"
#include "targets/runtime/kernel/cleanup.h"
#include "targets/runtime/kernel/entry.h"
#include "targets/runtime/kernel/exit.h"
#include "targets/runtime/kernel/keys.h"
#include "targets/runtime/kernel/location.h"
#include "targets/runtime/kernel/process.h"
#include "targets/runtime/kernel/stack.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/memory/heap.h"
#include "targets/runtime/memory/hidden.h"
#include "targets/runtime/memory/space.h"
#include "targets/runtime/race/race.h"
#include "targets/runtime/sync/clock.h"
#include "targets/runtime/sync/mutex.h"
#include "targets/runtime/sync/section.h"
#include "targets/runtime/sync/timeout.h"

static VECTOR(uint32_t) children[RUNTIME_MAX_THREADS]; /* numbers, by creator and creation */
static uint32_t numbers;                               /* given out so far */
static uint64_t *registry; /* shared: by number, creator << 32 | creation; or NULL */
static struct {
    uint32_t creator;
    uint32_t creation; /* starting at 1 */
} origins[RUNTIME_MAX_THREADS] WITNESS;
static runtime_thread threads[RUNTIME_MAX_THREADS] WITNESS;
WITNESS_ANNOUNCE(origins)
WITNESS_ANNOUNCE(threads)

void threads_open(void) {
    witness_zero(threads, sizeof threads);
    runtime.threads = threads;
    runtime.starting = memory_resize(NULL, 0, RUNTIME_MAX_THREADS * sizeof(uint32_t));
    numbers = 1;
}

void threads_close(void) {
    runtime.threads = NULL;
    memory_resize(runtime.starting, RUNTIME_MAX_THREADS * sizeof(uint32_t), 0);
    for (uint32_t i = 0; i < RUNTIME_MAX_THREADS; i++) {
        vector_free(&children[i]);
    }
}

/* What outlives an execution stays; the rest is as for a thread that never was. */
static void clear(runtime_thread *t) {
    heap_end(t);
    uintptr_t own_low = t->own_low, stack_used = t->stack_used, limit = t->heap.limit;
    uintptr_t touched = t->heap.touched;
    size_t own_size = t->own_size;
    uint32_t starts = t->starts;
    if (t->heap.freed) {
        memset(t->heap.free_blocks, 0, sizeof t->heap.free_blocks);
    }
    memset(t, 0, offsetof(runtime_thread, heap.free_blocks));
    t->own_low = own_low;
    t->own_size = own_size;
    t->stack_used = stack_used;
    t->starts = starts;
    t->heap.limit = limit;
    t->heap.touched = touched;
}

/* `above`: bytes that lie above its thread-local variables. */
static void start_thread(uint32_t number, size_t above) {
    runtime_thread *t = &runtime.threads[number];
    if (undo.unit) {
        undo_log_start(number);
    }
    clear(t);
    t->unit = t->record_unit = undo.unit;
    t->number = number;
    t->status = THREAD_LIVE;
    t->random = number + 1;
    heap_start(t);
    stack_prepare(t, above);
    fiber_prepare(&t->context, t->tls);
    if (number >= runtime.thread_count) {
        runtime.thread_count = number + 1;
    }
}

void threads_undo_start(uint32_t number) {
    clear(&runtime.threads[number]);
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
    end_last(t, __builtin_return_address(0));
    runtime_leave(t, THREAD_ENDED);
}

static void give_number(uint32_t creator) {
    origins[numbers].creator = creator;
    origins[numbers].creation = children[creator].count + 1;
    vector_push(&children[creator], numbers);
    numbers++;
}

void threads_share(uint64_t *words) {
    registry = words;
}

/* Gives a number to the next child of the thread. If several processes give out numbers, then to
 * those first to which the others have given one. False if there are no more numbers. */
static bool number_child(uint32_t creator) {
    uint32_t creation = children[creator].count + 1;
    while (children[creator].count < creation) {
        if (numbers == RUNTIME_MAX_THREADS) {
            return false;
        }
        uint64_t mine = (uint64_t)creator << 32 | creation, next = mine;
        if (registry) {
            next = 0;
            if (__atomic_compare_exchange_n(&registry[numbers], &next, mine, false,
                                            __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
                next = mine;
            }
        }
        CHECK(next >> 32 < numbers && children[next >> 32].count + 1 == (uint32_t)next);
        give_number((uint32_t)(next >> 32));
    }
    return true;
}

bool threads_name(uint32_t number, char *name, size_t size) {
    uint32_t path[RUNTIME_MAX_THREADS], depth = 0;
    for (; number != RUNTIME_MAIN; number = origins[number].creator) {
        if (number >= RUNTIME_MAX_THREADS || depth == RUNTIME_MAX_THREADS) {
            return false;
        }
        path[depth++] = origins[number].creation;
    }
    size_t used = (size_t)snprintf(name, size, "%s", depth ? "T" : "main");
    for (uint32_t i = depth; i-- > 0 && used < size;) {
        used += (size_t)snprintf(name + used, size - used, i ? "%u." : "%u", path[i]);
    }
    return true;
}

uint32_t threads_location(uint32_t number) {
    return threads[number].pending.location;
}

void threads_describe(uint32_t number, FILE *out) {
    static char name[RUNTIME_MAX_THREADS * sizeof "1234"];
    CHECK(threads_name(number, name, sizeof name));
    fputs(name, out);
}

bool threads_expect(const char *name) {
    if (strcmp(name, "main") == 0) {
        return true;
    }
    uint32_t creator = RUNTIME_MAIN;
    for (char *end; *name == 'T' || *name == '.'; name = end) {
        unsigned long creation = strtoul(name + 1, &end, 10);
        if (end == name + 1 || creation == 0) {
            return false;
        }
        if (creation <= children[creator].count) {
            creator = vector_at(&children[creator], creation - 1);
        } else if (creation == children[creator].count + 1 && !*end) {
            return number_child(creator);
        } else {
            return false;
        }
    }
    return !*name;
}

uint32_t threads_known(void) {
    return numbers;
}

void threads_encode(bytes *out) {
    bytes_put_number(out, numbers);
    for (uint32_t i = RUNTIME_MAIN + 1; i < numbers; i++) {
        bytes_put_number(out, origins[i].creator);
        bytes_put_number(out, origins[i].creation);
    }
}

uint32_t threads_decode(byte_reader *r) {
    uint32_t count = (uint32_t)bytes_take_number(r, RUNTIME_MAX_THREADS);
    for (uint32_t i = RUNTIME_MAIN + 1; i < count && !r->failed; i++) {
        uint32_t creator = (uint32_t)bytes_take_number(r, i - 1);
        uint64_t creation = bytes_take_number(r, RUNTIME_MAX_THREADS);
        if (i >= numbers && creation == children[creator].count + 1) {
            number_child(creator);
        }
        r->failed = r->failed || i >= numbers || origins[i].creator != creator ||
                    origins[i].creation != creation;
    }
    return count;
}

static uint32_t child_number(runtime_thread *t, uint32_t location) {
    if (t->creations == children[t->number].count && !number_child(t->number)) {
        runtime_fail(t, ERROR_UNSUPPORTED, location, "more than %d threads", RUNTIME_MAX_THREADS);
    }
    return vector_at(&children[t->number], t->creations);
}

static bool starts_detached(const pthread_attr_t *attributes) {
    int state = PTHREAD_CREATE_JOINABLE;
    return attributes && pthread_attr_getdetachstate(attributes, &state) == 0 &&
           state == PTHREAD_CREATE_DETACHED;
}

FIBER_RETURN runtime_thread *threads_create(runtime_thread *t, void *(*start)(void *),
                                            void *argument, uint32_t location) {
    uint32_t number = child_number(t, location);
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

FIBER_RETURN int heddle_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                                       void *(*start)(void *), void *argument) {
    runtime_thread *t = runtime.current;
    if (!t) {
        return EAGAIN; /* in a constructor */
    }
    pthread_t id = threads_start(t, attributes, start, argument, "pthread_create", LOCATION_HERE());
    access_plain(thread, sizeof *thread, ACCESS_WRITE, __builtin_return_address(0));
    *thread = id;
    return 0;
}

runtime_thread *threads_by_id(pthread_t id) {
    if (id == 0 || id > runtime.thread_count) {
        return NULL;
    }
    runtime_thread *t = &runtime.threads[id - 1];
    return t->status == THREAD_NONE ? NULL : t;
}

static void refresh_join(runtime_thread *t) {
    const runtime_thread *child = &runtime.threads[t->joinee];
    uint32_t count = t->events == 0 && t->number != RUNTIME_MAIN;
    bool ended = child->status == THREAD_ENDED;
    runtime_set_enabled(t, ended);
    if (ended) {
        t->causes[count++] =
            child->events ? (cause){child->number, child->events} : child->causes[0];
    }
    t->pending.cause_count = count;
}

static const refresh_rule join_rule = {.update = refresh_join};

static void refresh_timed_join(runtime_thread *t) {
    t->pending.kind = OPERATION_JOIN;
    t->pending.flags = 0;
    t->pending.causes = t->causes;
    t->pending.supply_count = 0;
    refresh_join(t);
    if (!operation_enabled(&t->pending)) {
        timeout_refresh(t);
    }
}

static const refresh_rule timed_join_rule = {.update = refresh_timed_join, .before_step = true};

FIBER_RETURN void threads_await_end(runtime_thread *t, const runtime_thread *other,
                                    uint32_t location) {
    runtime_prepare(t, OPERATION_JOIN, other->number, FOOTPRINT_EMPTY, location);
    t->joinee = other->number;
    t->refresh = t->times_out ? &timed_join_rule : &join_rule;
    runtime_park(t);
    if (t->pending.kind == OPERATION_JOIN) {
        race_join(t, other);
        clock_follow(t, other);
        t->value = other->number;
    }
}

FIBER_RETURN int threads_join(pthread_t id, void **result, const char *what, uint32_t location) {
    runtime_thread *t = runtime.current;
    section_forbid(t, what, location);
    runtime_thread *child = threads_by_id(id);
    if (child == t) {
        return EDEADLK;
    }
    if (!child || child->detached || child->joined) {
        runtime_fail(t, ERROR_MISUSE, location, "%s of %s", what,
                     !child            ? "something that is not a thread"
                     : child->detached ? "a detached thread"
                                       : "a thread that was joined before");
    }
    undo_record(child);
    child->joined = true;
    threads_await_end(t, child, location);
    *result = child->result;
    return 0;
}

/* That a thread has ended can be seen by no other means than a join, so that one that does not wait
 * may fail however late it comes: a choice. Where it is to succeed, it waits for the end; if that
 * never comes, it fails as well. */
static bool gives_up_at_once(const struct timespec *end, uint32_t location) {
    return (!end || timeout_may_come_anytime()) && process_choose(2, location);
}

static FIBER_RETURN int join_until(pthread_t id, void **result, const struct timespec *end,
                                   const char *what, uint32_t location) {
    static const struct timespec now;
    runtime_thread *t = runtime.current, *child = threads_by_id(id);
    bool usable = child && !child->detached && !child->joined;
    if (usable && child != t && gives_up_at_once(end, location)) {
        return end ? ETIMEDOUT : EBUSY;
    }
    if (!end || runtime.settings.timeouts != TIMEOUTS_NEVER) {
        timeout_set(t, end ? end : &now);
        t->times_out = true;
    }
    int error = threads_join(id, result, what, location);
    if (timeout_clear(t)) {
        child->joined = false;
        return end ? ETIMEDOUT : EBUSY;
    }
    return error;
}

static int store_result(int error, void **result, void *returned, const void *here) {
    if (!error && result) {
        access_plain(result, sizeof *result, ACCESS_WRITE, here);
        *result = returned;
    }
    return error;
}

int heddle_pthread_tryjoin_np(pthread_t id, void **result) {
    void *returned;
    int error = join_until(id, &returned, NULL, "pthread_tryjoin_np", LOCATION_HERE());
    return store_result(error, result, returned, __builtin_return_address(0));
}

int heddle_pthread_timedjoin_np(pthread_t id, void **result, const struct timespec *end) {
    void *returned;
    int error = join_until(id, &returned, end, "pthread_timedjoin_np", LOCATION_HERE());
    return store_result(error, result, returned, __builtin_return_address(0));
}

int heddle_pthread_clockjoin_np(pthread_t id, void **result, clockid_t clock,
                                const struct timespec *end) {
    void *returned;
    (void)clock;
    int error = join_until(id, &returned, end, "pthread_clockjoin_np", LOCATION_HERE());
    return store_result(error, result, returned, __builtin_return_address(0));
}

FIBER_RETURN int heddle_pthread_join(pthread_t id, void **result) {
    void *returned;
    int error = threads_join(id, &returned, "pthread_join", LOCATION_HERE());
    return store_result(error, result, returned, __builtin_return_address(0));
}

int threads_detach(pthread_t id, const char *what, uint32_t location) {
    runtime_thread *t = runtime.current;
    runtime_thread *child = threads_by_id(id);
    if (!child || child->detached || child->joined) {
        runtime_fail(t, ERROR_MISUSE, location, "%s of %s", what,
                     !child            ? "something that is not a thread"
                     : child->detached ? "a detached thread"
                                       : "a thread that is joined");
    }
    undo_record(child);
    child->detached = true;
    return 0;
}

int heddle_pthread_detach(pthread_t id) {
    return threads_detach(id, "pthread_detach", LOCATION_HERE());
}

pthread_t heddle_pthread_self(void) {
    return runtime.current ? (pthread_t)runtime.current->number + 1 : 0;
}

int heddle_pthread_equal(pthread_t first, pthread_t second) {
    return first == second;
}
