#include "targets/runtime/kernel/frame.h"

#include "base/vector.h"
#include "targets/runtime/kernel/access.h"
#include "targets/runtime/kernel/exports.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/kernel/trampoline.h"
#include "targets/runtime/kernel/versions.h"
#include "targets/runtime/memory/own_frames.h"
#include "targets/runtime/sync/section.h"
#include "targets/runtime/sync/sync.h"

/* Locations. */
static VECTOR(uint32_t) ends;
static VECTOR(uint32_t) reuses;

void runtime_link_frame(void) {
}

void frame_close(void) {
    vector_free(&ends);
    vector_free(&reuses);
}

static bool contains(const uint32_t *locations, uint32_t count, uint32_t location) {
    for (uint32_t i = 0; i < count; i++) {
        if (locations[i] == location) {
            return true;
        }
    }
    return false;
}

bool frame_is_end(uint32_t location) {
    return contains(ends.items, ends.count, location);
}

bool frame_is_reuse(uint32_t location, uint32_t thread, uint32_t object) {
    const runtime_thread *t = &runtime.threads[thread];
    return contains(reuses.items, reuses.count, location) &&
           space_object_address(object) - t->own_low < t->own_size;
}

/* The next granule of a stack that others know; 0: none. */
static uintptr_t next_shared(uintptr_t address, uintptr_t end) {
    for (uintptr_t i = (address - space.stacks_low) >> 3; i < (end - space.stacks_low) >> 3;) {
        if (!space.shared[i >> 3]) {
            i = (i | 7) + 1;
        } else if (space.shared[i >> 3] & (1u << (i & 7))) {
            return space.stacks_low + (i << 3);
        } else {
            i++;
        }
    }
    return 0;
}

/* A write to all of them, in passing. */
static void write_in_passing(runtime_thread *t, uintptr_t low, uintptr_t high, uint32_t location) {
    while ((low = next_shared(low, high))) {
        race_range(t, low, GRANULE_SIZE, ACCESS_WRITE, location);
        low += GRANULE_SIZE;
    }
}

static void end_versions(uintptr_t low, uintptr_t high) {
    while (runtime.versions && (low = next_shared(low, high))) {
        versions_end(low);
        low += GRANULE_SIZE;
    }
}

/* There are synchronisation objects in it, as well as memory that others have touched. With
 * versions their uses are reads for the race detector (sync_race). */
static bool has_syncs(uintptr_t low, uintptr_t high) {
    sync_cursor c = {0};
    return !runtime.versions && sync_next(low, high - low, &c);
}

/* It matters whether a write comes before it, although the value is never read. */
static footprint end_footprint(uintptr_t low, uintptr_t high, bool synced) {
    space_ranges_begin();
    if (synced) {
        access_add_syncs(low, high - low, ACCESS_WRITE);
    }
    while ((low = next_shared(low, high))) {
        space_ranges_add(low, GRANULE_SIZE, ACCESS_READ_WRITE);
        low += GRANULE_SIZE;
    }
    return space_ranges_end();
}

static void prepare_end(runtime_thread *t, uintptr_t low, footprint f, uint32_t location,
                        bool passing) {
    runtime_prepare(t, OPERATION_SCOPE_END, space_object(low), f, location);
    t->pending.flags |= passing ? OPERATION_PASSING : 0;
}

/* The frames below `end` have been left; 0: none. */
static void set_dead(runtime_thread *t, uintptr_t end) {
    t->dead = end;
    t->passed = (t->passed & ~PASSING_LOOK) | (end ? PASSING_LOOK : 0);
}

static FIBER_RETURN void end_life(runtime_thread *t, uintptr_t low, uintptr_t high,
                                  uint32_t entry) {
    uint32_t location = entry & ~LOCATION_MARKS;
    CHECK(low % GRANULE_SIZE == 0 && next_shared(low, high) == low);
    if (!frame_is_end(location)) {
        vector_push(&ends, location);
    }
    bool synced = has_syncs(low, high);
    bool passing = passing_is(entry) && !t->section_depth && !synced;
    if (passing && runtime.accesses == ACCESSES_IN_PASSING) {
        end_versions(low, high);
        write_in_passing(t, low, high, location);
        set_dead(t, high);
        return;
    }
    footprint f = end_footprint(low, high, synced);
    if (t->section_depth) {
        section_access(t, low, 0, ACCESS_WRITE, f, location);
        return;
    }
    prepare_end(t, low, f, location, passing);
    runtime_park(t);
    t->acquired = synced && access_finds_unlocked(low, high - low, ACCESS_WRITE);
    end_versions(low, high);
    write_in_passing(t, low, high, location);
    set_dead(t, high);
    FIBER_LAST_CALL();
}

/* Until then the memory is dead. */
static FIBER_RETURN void take_place(runtime_thread *t, uintptr_t low, uintptr_t high,
                                    uint32_t location, bool passing) {
    footprint f = end_footprint(low, high, false);
    CHECK(!t->left && !t->section_depth);
    t->left = high;
    prepare_end(t, low, f, location, passing);
    runtime_park(t);
    t->left = 0;
    race_plain_set(t, f, location);
    FIBER_LAST_CALL();
}

/* It has entered frames in place of others that it had left: a thread that still has the address of
 * a local there, and is not ordered with this, races with it. */
void frame_reuse(runtime_thread *t, uint32_t location) {
    fiber_context here = {0};
    OWN_FRAMES_HERE(&here);
    uintptr_t low = here.stack_pointer, high = t->dead;
    if (low - t->own_low >= t->own_size || t->section_depth || low >= high) {
        return; /* on a stack of the program's own, or as part of a step, or far away */
    }
    low = own_frames_end(t, &here);
    if (low >= high) {
        return;
    }
    set_dead(t, space_lowest_shared(t->number) < low ? low : 0);
    low = next_shared(low & ~(uintptr_t)(GRANULE_SIZE - 1), high);
    if (!low) {
        return;
    }
    if (!contains(reuses.items, reuses.count, location)) {
        vector_push(&reuses, location);
    }
    bool passing = runtime.accesses != ACCESSES_ARE_STEPS && !passing_is_promoted(location);
    if (passing && runtime.accesses == ACCESSES_IN_PASSING) {
        write_in_passing(t, low, high, location);
    } else {
        runtime_before_park();
        take_place(t, low, high, location, passing);
    }
}

/* The frame from `low` to `high` is about to be left. */
void heddle_frame_ending(uintptr_t low, uintptr_t high, const void *return_address) {
    runtime_thread *t = runtime.current;
    if (!t || low - t->own_low >= t->own_size || high <= low || high - t->own_low > t->own_size) {
        return; /* on a stack of the program's own */
    }
    uintptr_t shared = next_shared(low, high);
    if (shared) {
        runtime_before_park();
        end_life(t, shared, high, location_entry(return_address));
    }
    sync_end_frames(t, low, high);
}

void frame_end_thread(runtime_thread *t, const void *return_address) {
    uintptr_t low = space_lowest_shared(t->number);
    t->left = t->number != RUNTIME_MAIN ? t->tls : 0;
    if (t->left && low) {
        end_life(t, low, t->own_low + t->own_size, location_entry(return_address));
    }
    set_dead(t, 0);
}

#ifdef __x86_64__
/* The end of the frame is in %r11; results in %rax, %rdx, %xmm0 and %xmm1. What is no result is
 * what heddle's functions have left there, which must not stay on the stack (spin.h). */
__asm__(TRAMPOLINE_BEGIN("heddle_frame_ends")
        "pushq %rax\npushq %rdx\n"
        "movq $0, -8(%rsp)\nandq $-16, %rsp\n"
        "subq $32, %rsp\nmovaps %xmm0, (%rsp)\nmovaps %xmm1, 16(%rsp)\n"
        "leaq 16(%rbp), %rdi\nmovq %r11, %rsi\nmovq 8(%rbp), %rdx\n"
        "call heddle_frame_ending\n"
        "movaps (%rsp), %xmm0\nmovaps 16(%rsp), %xmm1\n"
        "movq $0, (%rsp)\nmovq $0, 8(%rsp)\nmovq $0, 16(%rsp)\nmovq $0, 24(%rsp)\n"
        "leaq -16(%rbp), %rsp\npopq %rdx\npopq %rax\n"
        "movq $0, -16(%rsp)\nmovq $0, -8(%rsp)\n"
        TRAMPOLINE_END("heddle_frame_ends"));
#endif
