#include "targets/runtime/kernel/passing.h"

#include "base/vector.h"
#include "targets/runtime/kernel/spin.h"

static VECTOR(uint32_t) wanted; /* locations to be promoted */
static VECTOR(uintptr_t) offsets;
static bool outside_promoted; /* accesses by code that is not the program's */

void passing_close(void) {
    vector_free(&wanted);
    vector_free(&offsets);
    outside_promoted = false;
    location_outside = LOCATION_NONE;
}

static uintptr_t offset_of(uint32_t location) {
    return location_address(location) - space.text_low;
}

static void promote_outside(void) {
    location_outside = LOCATION_PROMOTED;
    outside_promoted = true;
}

void passing_promote(uint32_t location) {
    if (runtime.accesses != ACCESSES_IN_PASSING || space.target->trial) {
        return;
    }
    if (location == LOCATION_NONE) {
        if (!outside_promoted) {
            outside_promoted = true;
            vector_push(&wanted, location);
        }
        return;
    }
    CHECK(offset_of(location) < space.text_size);
    uint32_t *entry = &location_table[offset_of(location)];
    if (!(*entry & (LOCATION_PROMOTED | LOCATION_WANTED))) {
        *entry |= LOCATION_WANTED;
        vector_push(&wanted, location);
    }
}

bool passing_expect(uintptr_t offset) {
    if (offset == UINTPTR_MAX) {
        promote_outside();
        return true;
    }
    if (offset >= space.text_size) {
        return false;
    }
    if (!(location_table[offset] & LOCATION_PROMOTED)) {
        location_table[offset] |= LOCATION_PROMOTED;
        vector_push(&offsets, offset);
    }
    return true;
}

bool passing_promoted(uint32_t i, uintptr_t *offset) {
    if (i < offsets.count) {
        *offset = vector_at(&offsets, i);
        return true;
    }
    *offset = UINTPTR_MAX;
    return i == offsets.count && location_outside != LOCATION_NONE;
}

void passing_check(void) {
    for (uint32_t i = 0; i < offsets.count; i++) {
        CHECK(vector_at(&offsets, i) < space.text_size);
        CHECK(location_table[vector_at(&offsets, i)] & LOCATION_PROMOTED);
    }
    for (uint32_t i = 0; i < wanted.count; i++) {
        uint32_t location = vector_at(&wanted, i);
        CHECK(location == LOCATION_NONE || offset_of(location) < space.text_size);
        CHECK(location != LOCATION_NONE || outside_promoted);
    }
    CHECK((location_outside & ~LOCATION_PROMOTED) == LOCATION_NONE);
}

bool passing_is_promoted(uint32_t location) {
    CHECK(location == LOCATION_NONE || offset_of(location) < space.text_size);
    return location == LOCATION_NONE ? location_outside == LOCATION_PROMOTED
                                     : location_table[offset_of(location)] & LOCATION_PROMOTED;
}

/* Work from another process may have brought this knowledge since. */
bool passing_promote_all(target *t) {
    (void)t;
    bool any = false;
    while (wanted.count) {
        uint32_t location = vector_pop(&wanted);
        any = any || !passing_is_promoted(location);
        passing_expect(location == LOCATION_NONE ? UINTPTR_MAX : offset_of(location));
    }
    return any;
}

bool passing_promote_now(uint32_t location) {
    if (runtime.versions) {
        return false;
    }
    passing_promote(location);
    bool any = passing_promote_all(space.target);
    space.target->promoted |= any;
    return any;
}

/* A read of what the thread has just written races with the same accesses as the write, and usually
 * counts as the same access. Once the write is a step that is not enough: the read becomes a step
 * only if its own place is seen to race. */
void passing_treat(target *t, enum target_accesses treatment) {
    CHECK(!runtime.current); /* marks change between executions */
    runtime.accesses = treatment;
    spin_forget_outcomes();
    runtime.races = !runtime.settings.no_race_check || treatment == ACCESSES_IN_PASSING;
    runtime.thorough = t->promoted;
}

/* The thread may wait for others to change what it reads. */
static FIBER_RETURN void pause_here(runtime_thread *t, uint32_t location) {
    runtime_prepare(t, OPERATION_PAUSE, 0, FOOTPRINT_EMPTY, location);
    runtime_park(t);
    FIBER_LAST_CALL();
}

bool passing_begin(runtime_thread *t, uint32_t location) {
    DEBUG_CHECK((t->passed & ~PASSING_LOOK) <= PASSING_LIMIT && !t->section_depth);
    if (unlikely(t->dead)) {
        frame_reuse(t, location);
    }
    if (unlikely((t->passed & ~PASSING_LOOK) >= PASSING_LIMIT)) {
        t->passed &= PASSING_LOOK;
        pause_here(t, location);
    }
    t->passed++;
    return runtime.accesses == ACCESSES_IN_PASSING;
}
