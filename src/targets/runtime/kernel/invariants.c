#include "targets/runtime/kernel/invariants.h"

#include <string.h>

#include "base/check.h"
#include "targets/runtime/kernel/location.h"
#include "targets/runtime/kernel/passing.h"
#include "targets/runtime/kernel/runtime.h"
#include "targets/runtime/kernel/spin.h"
#include "targets/runtime/kernel/threads.h"
#include "targets/runtime/memory/heap.h"
#include "targets/runtime/memory/space.h"
#include "targets/runtime/race/race.h"
#include "targets/runtime/sync/inbox.h"
#include "targets/runtime/sync/sync.h"

enum { CHECK_ALL_EVERY = 64 }; /* steps */

static bool is_parked(const runtime_thread *t) {
    return t->status == THREAD_LIVE || t->status == THREAD_STOPPED;
}

/* A thread that has parked stands on its own stack, as deep as is known to have been used. */
static void check_stack(const runtime_thread *t) {
    size_t size;
    uintptr_t low = space_stack(t->number, &size), pointer = t->context.stack_pointer;
    CHECK(t->own_low == low && t->own_size && t->own_size <= size);
    CHECK(pointer > t->own_low && pointer <= t->own_low + t->own_size);
    CHECK(t->stack_used >= t->own_low && t->stack_used <= t->own_low + t->own_size);
    CHECK(t->tls - t->own_low <= t->own_size);
    CHECK(!t->kept_low || t->kept_low - t->own_low < t->own_size);
}

/* The pending operation is one that explorers can treat. */
static void check_pending(const runtime_thread *t) {
    const operation *op = &t->pending;
    CHECK(op->kind != OPERATION_NONE && op->kind < OPERATION_KIND_COUNT);
    CHECK(op->supply_count <= op->cause_count);
    CHECK(!op->cause_count || op->causes);
    CHECK(op->location < LOCATION_WANTED);
    for (uint32_t i = 0; i < op->cause_count; i++) {
        cause c = op->causes[i];
        CHECK(c.thread < runtime.thread_count);
        CHECK(c.events <= runtime.threads[c.thread].events);
    }
    CHECK(!(op->flags & OPERATION_PASSING) || runtime.accesses == ACCESSES_SHOWN);
    CHECK(!operation_has_role(op->kind, ROLE_YIELDS) || op->footprint == FOOTPRINT_EMPTY);
}

static void check_tail(const runtime_thread *t) {
    static const unsigned char zeroes[sizeof *t - RUNTIME_TAIL];
    CHECK(runtime_tail_used(t) ||
          memcmp((const char *)t + RUNTIME_TAIL, zeroes, sizeof zeroes) == 0);
}

static void check_thread(const runtime_thread *t) {
    CHECK(t->status <= THREAD_STOPPED);
    CHECK(t->sync < syncs.count && t->waits_in < syncs.count);
    CHECK(t->joinee < RUNTIME_MAX_THREADS && t->waker_thread < RUNTIME_MAX_THREADS);
    CHECK(t->unit <= undo.numbers && t->record_unit <= undo.numbers);
    CHECK(t->number == RUNTIME_MAIN || (t->creator < runtime.thread_count && t->start));
    CHECK(t->number == RUNTIME_MAIN || t->creator != t->number);
    CHECK(!(t->detached && t->joined) && (t->joined || !t->gone));
    CHECK(t->events <= runtime.steps && (t->passed & ~PASSING_LOOK) <= PASSING_LIMIT);
    CHECK(!(t->passed & PASSING_LOOK) || t->dead);
    CHECK(t->name[THREAD_NAME_SIZE - 1] == '\0');
    CHECK(t->keys_created <= RUNTIME_KEYS);
    for (uint32_t i = 0; t->number != RUNTIME_MAIN && i < RUNTIME_KEYS / 64; i++) {
        CHECK(!t->keys_deleted[i]);
    }
    CHECK(!t->waits_in || t->status != THREAD_NONE);
    spin_check(t);
    check_tail(t);
    CHECK(t->heap.next >= heap_first(t->number) && t->heap.next <= t->heap.limit + HEAP_ALIGNMENT);
    if (is_parked(t)) {
        check_stack(t);
    }
    if (t->status == THREAD_LIVE) {
        check_pending(t);
    }
}

static void check_threads(void) {
    CHECK(!runtime.current && runtime.thread_count <= RUNTIME_MAX_THREADS);
    CHECK(runtime.thread_count <= threads_known() && !runtime.starting_count);
    CHECK(!runtime.failed || runtime.exited);
    CHECK(runtime.scripted == THREAD_ANY);
    for (uint32_t i = 0; i < runtime.thread_count; i++) {
        const runtime_thread *t = &runtime.threads[i];
        if (t->status != THREAD_NONE) {
            CHECK(t->number == i);
            check_thread(t);
        }
    }
}

void invariants_check(void) {
    check_threads();
    if (runtime.steps % CHECK_ALL_EVERY == 0) {
        for (uint32_t i = 0; i < runtime.thread_count; i++) {
            if (runtime.threads[i].status != THREAD_NONE) {
                heap_check(&runtime.threads[i]);
            }
        }
        space_check();
        sync_check_objects();
        inbox_check();
        race_check();
        undo_check_units();
        passing_check();
    }
}
