#include "targets/runtime/kernel/published.h"

#include <string.h>

#include "targets/runtime/kernel/context.h"
#include "targets/runtime/memory/heap.h"
#include "targets/runtime/memory/space.h"

enum { MOST_ADDRESSES = 64, LARGEST_ACCESS = 16 };

static struct {
    uintptr_t addresses[MOST_ADDRESSES];
    uint32_t count;
} published;

void published_start(void) {
    published.count = 0;
}

void published_note(const runtime_thread *t, const ucontext_t *context) {
    uintptr_t address = context_argument(context);
    if (address - t->own_low >= t->own_size || published.count == MOST_ADDRESSES) {
        return;
    }
    for (uint32_t i = 0; i < published.count; i++) {
        if (published.addresses[i] == address) {
            return;
        }
    }
    published.addresses[published.count++] = address;
}

/* An aligned word that points into the thread's memory. */
static bool points_into(const runtime_thread *t, uintptr_t low, uintptr_t high) {
    for (low = (low + 7) & ~(uintptr_t)7; low + sizeof(uintptr_t) <= high; low += 8) {
        uintptr_t word;
        memcpy(&word, (const void *)low, sizeof word);
        if (word - t->own_low < t->own_size) {
            return true;
        }
    }
    return false;
}

static bool thread_points_into(const runtime_thread *other, const runtime_thread *t) {
    uintptr_t heap = heap_first(other->number);
    if (other->heap.next > heap && points_into(t, heap, other->heap.next)) {
        return true;
    }
    return other != t && other->status != THREAD_NONE &&
           ((uintptr_t)other->argument - t->own_low < t->own_size ||
            points_into(t, other->stack_used, other->own_low + other->own_size));
}

static bool is_known_elsewhere(const runtime_thread *t) {
    for (uint32_t i = 0; i < space.segment_count; i++) {
        const space_segment *s = &space.segments[i];
        if (points_into(t, s->low, s->low + s->size)) {
            return true;
        }
    }
    for (uint32_t i = 0; i < runtime.thread_count; i++) {
        if (thread_points_into(&runtime.threads[i], t)) {
            return true;
        }
    }
    return false;
}

void published_share(const runtime_thread *t) {
    uintptr_t end = t->own_low + t->own_size;
    if (published.count && is_known_elsewhere(t)) {
        for (uint32_t i = 0; i < published.count; i++) {
            uintptr_t address = published.addresses[i], left = end - address;
            space_mark_shared(address, left < LARGEST_ACCESS ? left : LARGEST_ACCESS);
        }
    }
}
