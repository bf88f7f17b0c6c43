/* Operations that free memory or remove access to it: steps that conflict with every access to
 * it. */
#include "targets/runtime/kernel/access.h"
#include "targets/runtime/memory/heap.h"
#include "targets/runtime/sync/section.h"
#include "targets/runtime/sync/sync.h"

/* As if it looked at what is there: it matters whether a write comes before it, although the value
 * is never read. */
static footprint free_footprint(const heap_header *block, uintptr_t low, size_t size) {
    space_ranges_begin();
    if (heap_is_wide(block)) {
        space_ranges_add((uintptr_t)block, HEAP_LIFE_BYTES, ACCESS_READ_WRITE);
    } else {
        space_ranges_add(low, size, ACCESS_READ_WRITE);
    }
    access_add_syncs(low, size, ACCESS_WRITE);
    return space_ranges_end();
}

/* Nothing but plain accesses conflicts with it. */
static bool may_pass(const runtime_thread *t, uintptr_t low, size_t size, uint32_t entry) {
    sync_cursor c = {0};
    return passing_is(entry) && !t->section_depth && !sync_next(low, size, &c);
}

static void take_step(runtime_thread *t, enum operation_kind kind, uintptr_t low, size_t size,
                      footprint f, bool passing, uint32_t location) {
    DEBUG_CHECK(!t->section_depth);
    runtime_prepare(t, kind, space_object(low) | OBJECT_OFFSET(low), f, location);
    t->pending.flags |= passing ? OPERATION_PASSING : 0;
    runtime_park(t);
    t->acquired = access_finds_unlocked(low, size, ACCESS_WRITE);
}

void access_free(runtime_thread *t, const heap_header *block, uint32_t entry) {
    uintptr_t start = heap_start_of(block);
    DEBUG_CHECK(space_contains((uintptr_t)block) && !t->deferred_size);
    uint32_t location = entry & ~LOCATION_MARKS;
    if (unlikely(runtime.spinning)) {
        spin_note_free(t, start, block->size);
    }
    bool passing = may_pass(t, start, block->size, entry);
    if (passing && passing_begin(t, location)) {
        bool wide = heap_is_wide(block);
        race_frees = true;
        race_range(t, wide ? (uintptr_t)block : start, wide ? HEAP_LIFE_BYTES : block->size,
                   ACCESS_WRITE, location);
        race_frees = false;
        return;
    }
    footprint f = free_footprint(block, start, block->size);
    if (f == FOOTPRINT_EMPTY) {
        return;
    }
    if (t->section_depth) {
        section_access(t, start, 0, ACCESS_WRITE, f, location);
        return;
    }
    take_step(t, OPERATION_FREE, start, block->size, f, passing, location);
    race_frees = true;
    race_plain_set(t, f, location);
    race_frees = false;
}

/* A write to the object of the header would race with accesses to other pages, too. So the pages
 * themselves are written, as far as the race detector sees: what does not race with that is ordered
 * with it, and may pass. If access is removed, later accesses fail anyway: only earlier ones need
 * to be checked. */
void access_protect(runtime_thread *t, const heap_header *block, uintptr_t low, size_t size,
                    enum protect_how how, uint32_t entry) {
    CHECK(heap_is_wide(block) && low >= heap_start_of(block));
    uint32_t location = entry & ~LOCATION_MARKS;
    section_forbid(t, "munmap of a part, or mprotect,", location);
    if (unlikely(runtime.spinning)) {
        spin_note_free(t, low, size);
    }
    bool passing = may_pass(t, low, size, entry);
    if (!passing || !passing_begin(t, location)) {
        enum operation_kind kind = how == PROTECT_UNMAPS ? OPERATION_FREE : OPERATION_WRITE;
        take_step(t, kind, low, size, free_footprint(block, low, size), passing, location);
    }
    race_frees = how == PROTECT_UNMAPS;
    (how == PROTECT_WRITES ? race_range : race_known_range)(t, low, size, ACCESS_WRITE, location);
    space_ranges_begin();
    access_add_syncs(low, size, ACCESS_WRITE);
    race_plain_set(t, space_ranges_end(), location);
    race_frees = false;
}
