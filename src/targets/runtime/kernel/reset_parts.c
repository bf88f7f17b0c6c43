#include "targets/runtime/kernel/reset_parts.h"

#include "targets/runtime/memory/heap.h"
#include "targets/runtime/memory/space.h"

enum { FRAMES_SIZE = 512 };

void reset_parts_visit(void (*visit)(const char *name, uintptr_t low, size_t size)) {
    for (uint32_t i = 0; i < space.segment_count; i++) {
        visit("the program's data", space.segments[i].low, space.segments[i].size);
    }
    const runtime_thread *main = &runtime.threads[RUNTIME_MAIN];
    uintptr_t low = main->tls - FRAMES_SIZE, heap = heap_first(RUNTIME_MAIN);
    visit("main's stack", low, main->own_low + main->own_size - low);
    if (main->heap.next > heap) {
        visit("the heap", heap, main->heap.next - heap);
    }
}
