#include "targets/runtime/kernel/runtime.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "targets/runtime/kernel/access.h"
#include "targets/runtime/kernel/debugger.h"
#include "targets/runtime/kernel/errors.h"
#include "targets/runtime/kernel/exports.h"
#include "targets/runtime/kernel/fault.h"
#include "targets/runtime/kernel/foreign.h"
#include "targets/runtime/kernel/frame.h"
#include "targets/runtime/kernel/instruction.h"
#include "targets/runtime/kernel/invariants.h"
#include "targets/runtime/kernel/keys.h"
#include "targets/runtime/kernel/location.h"
#include "targets/runtime/kernel/passing.h"
#include "targets/runtime/kernel/reset_check.h"
#include "targets/runtime/kernel/spin.h"
#include "targets/runtime/kernel/spin_section.h"
#include "targets/runtime/kernel/threads.h"
#include "targets/runtime/kernel/undo_check.h"
#include "targets/runtime/kernel/versions.h"
#include "targets/runtime/libc/channels.h"
#include "targets/runtime/libc/contents.h"
#include "targets/runtime/libc/floating.h"
#include "targets/runtime/libc/system_files.h"
#include "targets/runtime/memory/globals.h"
#include "targets/runtime/memory/heap.h"
#include "targets/runtime/memory/hidden.h"
#include "targets/runtime/memory/leaks.h"
#include "targets/runtime/memory/space.h"
#include "targets/runtime/memory/validity.h"
#include "targets/runtime/race/race.h"
#include "targets/runtime/sync/actor.h"
#include "targets/runtime/sync/cancel.h"
#include "targets/runtime/sync/clock.h"
#include "targets/runtime/sync/inbox.h"
#include "targets/runtime/sync/section.h"
#include "targets/runtime/sync/sync.h"

enum { MESSAGE_ROOM = 1 << 16, MESSAGE_SIZE = 512 };

runtime_state runtime WITNESS;
WITNESS_ANNOUNCE(runtime)

/* Messages of this execution, one after the other. */
static char messages[MESSAGE_ROOM];
static uint32_t messages_used;

void runtime_open(const settings *wanted, int argc, char **argv,
                  int (*main)(int, char **, char **)) {
    CHECK(main && argc >= 0);
    uint64_t stretch = runtime.stretch + 1; /* what is known of accesses to another program ends */
    runtime = (runtime_state){
        .settings = *wanted, .argc = argc, .argv = argv, .main = main, .scripted = THREAD_ANY};
    runtime.stretch = stretch;
    runtime.settings.no_race_check = !settings_race_check(wanted);
    runtime.races = !runtime.settings.no_race_check;
    runtime.error_number = &errno;
    space_open();
    heap_open();
    location_open();
    sync_open();
    race_open();
    threads_open();
    fault_open();
    globals_open();
    validity_open();
    undo_open();
    undo_check_open();
    reset_check_open();
    runtime_link_tsan();
    runtime_link_atomics();
    runtime_link_nondet();
    runtime_link_atomic_function();
    runtime_link_announce();
    runtime_link_frame();
}

void runtime_close(void) {
    undo_check_close();
    undo_close();
    globals_close();
    fault_close();
    actor_close();
    clock_close();
    hidden_close();
    channels_forget();
    cancel_close();
    system_files_close();
    contents_close();
    reset_check_close();
    instruction_close();
    threads_close();
    keys_close();
    race_close();
    sync_close();
    section_close();
    passing_close();
    frame_close();
    spin_close();
    versions_close();
    location_close();
    foreign_close();
    leaks_close();
    heap_close();
    space_close();
}

/* ---- errors of the program ---- */

static const char *keep_message(const char *message) {
    size_t length = strnlen(message, MESSAGE_SIZE - 1);
    CHECK(messages_used <= MESSAGE_ROOM);
    if (messages_used + length + 1 > MESSAGE_ROOM) {
        messages_used = 0;
    }
    char *kept = memcpy(&messages[messages_used], message, length);
    kept[length] = '\0';
    messages_used += (uint32_t)length + 1;
    return kept;
}

/* Of the error that is about to be recorded. */
static error_relation relations[ERROR_MOST_RELATIONS];
static uint32_t relation_count;

/* The error that is about to be recorded is that of the step's own access. */
static bool missed;

uintptr_t runtime_miss(const runtime_thread *t, uintptr_t address) {
    footprint f = t->pending.footprint;
    for (uint32_t i = 0; i < footprint_count(f); i++) {
        uint32_t object = footprint_access(f, i).object;
        if ((space_object_address(object) ^ address) < 8) {
            missed = true;
            return space_object_touched(object);
        }
    }
    return address;
}

void runtime_relate(const char *what, uint32_t thread, uint32_t location) {
    if (relation_count < ERROR_MOST_RELATIONS) {
        relations[relation_count++] = (error_relation){what, thread, location};
    }
}

void runtime_error(runtime_thread *t, enum error_kind kind, uint32_t location,
                   const char *message) {
    uint32_t related = relation_count;
    bool in_access = missed;
    relation_count = 0;
    missed = false;
    if (section_tried() || errors_have(t->number, kind == ERROR_DATA_RACE)) {
        return;
    }
    CHECK((unsigned)kind < ERROR_KIND_COUNT && related <= ERROR_MOST_RELATIONS);
    program_error error = {.kind = kind,
                           .thread = t->number,
                           .location = location,
                           .message = keep_message(message),
                           .relation_count = related,
                           .missed = in_access};
    memcpy(error.relations, relations, sizeof relations);
    errors_add(&error);
    if (runtime.current) {
        heddle_debugger_failed();
    }
}

void runtime_fail(runtime_thread *t, enum error_kind kind, uint32_t location, const char *message,
                  ...) {
    char text[MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, message);
    vsnprintf(text, sizeof text, message, arguments);
    va_end(arguments);
    runtime_error(t, kind, location, text);
    runtime.exited = runtime.failed = true;
    runtime_leave(t, THREAD_GONE);
}

void runtime_leave(runtime_thread *t, enum thread_status status) {
    CHECK(t == runtime.current && status > THREAD_LIVE && status <= THREAD_STOPPED);
    t->status = (uint8_t)status;
    runtime_park(t);
    check_failed(__FILE__, __LINE__, "a thread that ended runs again");
}

/* ---- pending operations ---- */

uint32_t runtime_thread_count(target *target) {
    (void)target;
    return runtime.thread_count;
}

const operation *runtime_pending(target *target, uint32_t thread) {
    (void)target;
    if (thread >= runtime.thread_count) {
        return NULL;
    }
    runtime_thread *t = &runtime.threads[thread];
    if (t->status != THREAD_LIVE) {
        return NULL;
    }
    if (unlikely(t->spin_widened)) {
        spin_section_narrow(t); /* what it was may have changed */
    }
    runtime_update(t);
    if (unlikely(t->spin_closed)) {
        runtime_set_enabled(t, false);
    } else if (unlikely(runtime.versions)) {
        versions_offer(t);
    } else if (unlikely(runtime.spinning)) {
        spin_refresh(t);
    }
    if (unlikely(t->spin_freed.events)) {
        spin_add_cause(t);
    }
    return &t->pending;
}

/* ---- steps ---- */

static inline __attribute__((always_inline)) void resume(runtime_thread *t) {
    DEBUG_CHECK(!runtime.current && t->status == THREAD_LIVE);
    runtime.current = t;
    runtime.stretch++;
    *runtime.error_number = t->error_number;
    fiber_switch(&runtime.scheduler, &t->context);
    t = runtime.current; /* another one, if there is a script */
    runtime.current = NULL;
    t->error_number = *runtime.error_number;
    if (unlikely(runtime.fault.signal)) {
        fault_finish(t);
    }
}

FIBER_RETURN void runtime_resume(runtime_thread *t) {
    resume(t);
}

/* Threads that were created run up to their first operation. */
static void start_children(void) {
    for (uint32_t i = 0; i < runtime.starting_count; i++) {
        CHECK(runtime.starting[i] < runtime.thread_count && runtime.starting[i] != RUNTIME_MAIN);
        runtime_resume(&runtime.threads[runtime.starting[i]]);
    }
    runtime.starting_count = 0;
}

static void refresh_for_step(runtime_thread *t) {
    DEBUG_CHECK(t->status == THREAD_LIVE);
    if (unlikely(runtime_needs_scheduler(t))) {
        runtime_update_for_step(t);
    }
    errors_clear();
    runtime.faulted = false;
}

/* The thread has left the frame that the address is in. */
static bool is_left(const runtime_thread *t, uintptr_t address) {
    size_t size;
    uintptr_t low = space_stack(t->number, &size);
    return address - low < size && (t->status != THREAD_LIVE || address < t->context.stack_pointer);
}

/* The step has ended in a fault: that came after its write to the address. */
static bool has_written(uintptr_t address, size_t size) {
    const program_error *error = errors_first();
    return error && !error->missed && space_readable(address, size);
}

FIBER_RETURN void runtime_take_step(uint32_t thread, uint32_t choice, step_result *result) {
    DEBUG_CHECK(thread < runtime.thread_count);
    runtime_thread *t = &runtime.threads[thread];
    enum operation_kind kind = t->pending.kind;
    if (unlikely(runtime.steps >= undo.due)) {
        undo_begin_unit();
    }
    if (unlikely(undo_checks)) {
        undo_check_note((step){thread, choice});
    }
    refresh_for_step(t);
    uintptr_t value_address = t->value_address;
    uint32_t value_size = t->value_size;
    bool versioned = t->versioned;
    if (unlikely(versioned)) {
        versions_before(t, choice);
    }
    runtime_begin(t, choice);
    t->versioned = false;
    resume(t);
    if (unlikely(versioned)) {
        versions_finish();
    }
    if (unlikely(runtime.starting_count)) {
        start_children();
    }
    bool readable =
        value_size && (likely(!runtime.faulted) || has_written(value_address, value_size));
    result->value = readable ? access_value(value_address, value_size) : t->value;
    result->lost =
        readable && unlikely(value_address - t->own_low < t->own_size) && is_left(t, value_address);
    result->acquired = t->acquired;
    result->error = errors_first();
    DEBUG_INVARIANT(invariants_check());
    t->spin_run = operation_has_role(kind, ROLE_REPEATS) ? t->spin_run : 0;
    if (unlikely(t->spin_run >= SPIN_RUN)) {
        spin_suspect(t);
    }
}

void runtime_step(target *target, uint32_t thread, uint32_t choice, step_result *result) {
    (void)target;
    if (unlikely(runtime.spinning)) {
        spin_step(thread, choice, result);
    } else {
        runtime_take_step(thread, choice, result);
    }
}

enum { DEAD_STACK_SIZE = 1536 }; /* more than the frames of what parks */

__attribute__((noinline)) void runtime_clear_dead_stack(void) {
    RUNTIME_CLEAR_FRAME(DEAD_STACK_SIZE);
}

/* A fiber that parks follows the script by itself, and comes back here only when it has to. */
static FIBER_RETURN void follow_script(const step *steps, const step *end) {
    runtime.script = steps;
    runtime.script_end = end;
    while (runtime.script < runtime.script_end) {
        runtime_thread *t = &runtime.threads[runtime.script->thread];
        refresh_for_step(t);
        runtime_follow(t);
        resume(t);
        runtime.scripted = THREAD_ANY;
        start_children();
    }
    CHECK(runtime.script == runtime.script_end);
}

/* The versions of memory that they read, or the waits in loops, need code around each step. */
static bool follow_singly(const step *steps, const step *end) {
    step_result result;
    bool singly = runtime.spinning || runtime.versions;
    for (; singly && steps < end; steps++) {
        runtime_step(space.target, steps->thread, steps->choice, &result);
    }
    return singly;
}

/* Cut where units of the log end. */
static void follow_by_units(const step *steps, const step *end) {
    while (steps < end) {
        if (runtime.steps >= undo.due) {
            undo_begin_unit();
        }
        uint64_t room = undo.due - runtime.steps;
        const step *stop = (uint64_t)(end - steps) > room ? steps + room : end;
        follow_script(steps, stop);
        for (; undo_checks && steps < stop; steps++) {
            undo_check_note(*steps);
        }
        steps = stop;
    }
}

void runtime_replay(target *target, const step *steps, uint32_t count) {
    (void)target;
    uint64_t since = undo_clock();
    CHECK(!runtime.current);
    if (!follow_singly(steps, steps + count)) {
        follow_by_units(steps, steps + count);
    }
    if (count && !runtime.spinning) {
        undo_note_replay(since, count);
        undo_land();
    }
}

static void start(void) {
    floating_check();
    instruction_check();
    runtime.exited = runtime.failed = false;
    errors_clear();
    runtime.starting_count = 0;
    runtime.steps++;
    messages_used = 0;
    globals_reset();
    sync_reset();
    race_reset();
    versions_reset();
    inbox_reset();
    clock_reset();
    hidden_reset();
    system_files_reset();
    threads_reset();
    reset_check();
    runtime_resume(&runtime.threads[RUNTIME_MAIN]);
    const program_error *error = errors_first();
    runtime.start_failed = error != NULL;
    if (error) {
        CHECK(!error->next); /* main alone has run */
        runtime.start_error = *error;
    }
}

void runtime_start_over(void) {
    undo_stop();
    uint64_t since = undo_clock();
    spin_start();
    start();
    undo_note_start(since);
    undo_start();
    undo_check_reset();
}

/* Without logging anything. */
static void start_and_follow(const step *steps, uint32_t count) {
    CHECK(undo_checks);
    undo_state before = undo;
    undo.unit = 0;
    undo.due = UINT64_MAX;
    start();
    if (!follow_singly(steps, steps + count)) {
        follow_script(steps, steps + count);
    }
    undo.log = before.log;
    undo.used = before.used;
}

void runtime_reset(target *target) {
    target->resets++;
    runtime_start_over();
}

uint32_t runtime_back(target *target, uint32_t length) {
    (void)target;
    if (undo_length() == length) {
        return length;
    }
    CHECK(!runtime.current && !runtime.starting_count);
    if (!undo_back(length)) {
        runtime_start_over();
    } else if (unlikely(undo_checks)) {
        undo_check(undo_last_unit(), undo_length(), start_and_follow);
        undo_renew();
    }
    return undo_length();
}

void runtime_restore_image(void) {
    CHECK(!runtime.current);
    globals_reset();
    globals_unwatch();
    heap_start(&runtime.threads[RUNTIME_MAIN]);
}

enum target_ending runtime_ending(target *target) {
    (void)target;
    bool waits = false;
    enum target_ending stuck = runtime.spinning ? spin_judge() : ENDING_DEADLOCK;
    if (stuck == ENDING_ARTIFACT) {
        return stuck;
    }
    for (uint32_t i = 0; i < runtime.thread_count; i++) {
        if (runtime.threads[i].status == THREAD_STOPPED) {
            return ENDING_ASSUME_BLOCKED;
        }
        waits = waits || runtime.threads[i].status == THREAD_LIVE;
    }
    return waits && !runtime.exited ? stuck : ENDING_COMPLETE;
}
