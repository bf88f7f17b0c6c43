#include "base/check.h"
#include "targets/runtime/memory/heap_layout.h"

static void check_block(const runtime_thread *t, const heap_header *header) {
    CHECK(header->mark == heap_mark_of((uintptr_t)header));
    CHECK(header->size <= heap_class_size(header->class));
    CHECK(heap_start_of(header) % HEAP_ALIGNMENT == 0);
    CHECK(heap_end_of(header) <= t->heap.next);
    if (heap_is_wide(header)) {
        CHECK(heap_wide_at(heap_start_of(header)) == header);
    } else if (header->size >= GRANULE_SIZE) {
        CHECK(*heap_extents_of(heap_start_of(header)) == (header->live ? GRANULE_SIZE : 0));
    }
}

static void check_free_list(const runtime_thread *t, uint32_t class) {
    uintptr_t at = t->heap.free_blocks[class];
    CHECK(!at || t->heap.freed);
    for (; at; at = ((const heap_header *)at)->next_free) {
        const heap_header *header = (const heap_header *)at;
        CHECK(heap_contains(at) && header->mark == heap_mark_of(at));
        CHECK(!header->live && header->class == class);
    }
}

void heap_check(const runtime_thread *t) {
    uintptr_t last = 0;
    uint32_t wide = 0;
    CHECK(t->heap.next <= t->heap.limit || t->heap.next == heap_first(t->number));
    CHECK(t->heap.limit <= space_heap(t->number) + space.heap_size);
    for (const heap_header *b = heap_next(t, NULL); b; b = heap_next(t, b)) {
        CHECK((uintptr_t)b >= last);
        check_block(t, b);
        last = heap_end_of(b);
        wide += heap_is_wide(b);
    }
    CHECK(wide <= t->heap.wide_count);
    CHECK(!t->heap.large || t->heap.next > heap_first(t->number));
    for (uint32_t i = 0; i < HEAP_CLASS_COUNT; i++) {
        check_free_list(t, i);
    }
}
