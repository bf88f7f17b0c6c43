#include "targets/runtime/memory/leaks.h"

#include "base/vector.h"
#include "targets/runtime/libc/variables.h"
#include "targets/runtime/memory/globals.h"
#include "targets/runtime/memory/hidden.h"

enum { BLOCK_LIVE = 1, BLOCK_REACHED = 2 }; /* of heap_header.live */

static VECTOR(heap_header *) reached;
static VECTOR(const heap_header *) lost;

void leaks_close(void) {
    vector_free(&reached);
    vector_free(&lost);
}

/* The live block that the address points into, or NULL. */
static heap_header *pointee(uintptr_t address) {
    if (!heap_contains(address) || !heap_reached(address)) {
        return NULL;
    }
    const heap_header *block = heap_wide_at(address);
    if (!block && !space_extent(address)) { /* a block of size 0, perhaps */
        block = heap_block(address);
    } else if (!block) {
        block = heap_before(address);
    }
    return block && block->live ? (heap_header *)block : NULL;
}

static void scan(uintptr_t low, uintptr_t high) {
    low = (low + 7) & ~(uintptr_t)7;
    for (; low + sizeof(uintptr_t) <= high; low += sizeof(uintptr_t)) {
        heap_header *block = pointee(*(const uintptr_t *)low);
        if (block && block->live == BLOCK_LIVE) {
            block->live = BLOCK_REACHED;
            vector_push(&reached, block);
        }
    }
}

static void scan_range(void *context, uintptr_t low, uintptr_t high) {
    (void)context;
    scan(low, high);
}

/* Thread-local variables, thread-specific values, and frames of a thread that has not ended. main's
 * frames count when it has called exit, not when it has returned. */
static void scan_thread(const runtime_thread *t) {
    uintptr_t top = t->own_low + t->own_size, low = t->context.stack_pointer;
    CHECK(t->status != THREAD_NONE && t->tls <= top);
    if (t->status == THREAD_ENDED) {
        scan((uintptr_t)&t->result, (uintptr_t)(&t->result + 1));
    }
    if (t->status == THREAD_ENDED && t->number != RUNTIME_MAIN) {
        return;
    }
    if (t->tail_used) {
        scan((uintptr_t)t->keys, (uintptr_t)(t->keys + RUNTIME_KEYS));
    }
    bool left = t->status == THREAD_ENDED || t->returned;
    scan(left ? t->tls : low, top);
}

/* What putenv was given. */
static void scan_environment(void) {
    const variable_changes *c = hidden_data(HIDDEN_ENVIRONMENT);
    scan((uintptr_t)c->items, (uintptr_t)(c->items + c->count));
}

/* A mapping that is never unmapped is not a leak: it lasts as long as the process, and so do the
 * blocks that it refers to. */
static void reach_mappings(const runtime_thread *t) {
    for (const heap_header *block = heap_next(t, NULL); block; block = heap_next(t, block)) {
        if (block->live == BLOCK_LIVE && block->mapped) {
            ((heap_header *)block)->live = BLOCK_REACHED;
            vector_push(&reached, (heap_header *)block);
        }
    }
}

static void mark(void) {
    vector_clear(&reached);
    globals_visit(scan_range, NULL);
    scan_environment();
    for (uint32_t i = 0; i < runtime.thread_count; i++) {
        reach_mappings(&runtime.threads[i]);
        if (runtime.threads[i].status != THREAD_NONE) {
            scan_thread(&runtime.threads[i]);
        }
    }
    while (reached.count) {
        const heap_header *block = vector_pop(&reached);
        CHECK(block->live == BLOCK_REACHED);
        scan(heap_start_of(block), heap_start_of(block) + block->size);
    }
}

static void add_lost(const heap_header *block) {
    for (uint32_t i = 0; i < lost.count; i++) {
        if (vector_at(&lost, i)->allocated == block->allocated) {
            return;
        }
    }
    vector_push(&lost, block);
}

/* Takes the marks away again. */
static void sweep(const runtime_thread *t) {
    for (const heap_header *block = heap_next(t, NULL); block; block = heap_next(t, block)) {
        if (block->live == BLOCK_LIVE) {
            add_lost(block);
        } else if (block->live) {
            ((heap_header *)block)->live = BLOCK_LIVE;
        }
    }
}

uint32_t leaks_find(void) {
    uint32_t live = 0;
    CHECK(!runtime.current && !reached.count);
    vector_clear(&lost);
    for (uint32_t i = 0; i < runtime.thread_count; i++) {
        live += runtime.threads[i].heap.live_count;
    }
    if (!live || runtime.failed || space.letters_size) {
        return 0;
    }
    mark();
    for (uint32_t i = 0; i < runtime.thread_count; i++) {
        sweep(&runtime.threads[i]);
    }
    return lost.count;
}

const heap_header *leaks_block(uint32_t index) {
    return vector_at(&lost, index);
}
