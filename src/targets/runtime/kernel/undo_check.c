#include "targets/runtime/kernel/undo_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vector.h"
#include "targets/runtime/kernel/runtime.h"
#include "targets/runtime/memory/heap.h"
#include "targets/runtime/memory/hidden.h"
#include "targets/runtime/memory/space.h"
#include "targets/runtime/race/race.h"
#include "targets/runtime/sync/sync.h"

enum { ENTRY_SIZE = 128 }; /* at most, of the runtime's frame at the top of a stack */

typedef struct image_part {
    const char *name;
    uint32_t number; /* of a thread, an object, a segment */
    uint32_t start, size;
} image_part;

typedef struct state_image {
    VECTOR(image_part) parts;
    VECTOR(unsigned char) bytes;
} state_image;

bool undo_checks;
static bool stacks;
static VECTOR(step) way;
static state_image undone, replayed, *image;

void undo_check_open(void) {
    const char *wish = getenv("HEDDLE_CHECK_UNDO");
#ifdef HEDDLE_DEBUG
    wish = wish ? wish : "";
#endif
    undo_checks = wish != NULL;
    stacks = undo_checks && strcmp(wish, "fast") != 0;
    runtime.exact = runtime.exact || stacks;
}

static void free_image(state_image *i) {
    vector_free(&i->parts);
    vector_free(&i->bytes);
}

void undo_check_close(void) {
    vector_free(&way);
    free_image(&undone);
    free_image(&replayed);
}

void undo_check_reset(void) {
    vector_clear(&way);
}

void undo_check_note(step taken) {
    vector_push(&way, taken);
}

/* ---- what is compared ---- */

static void add(const char *name, uint32_t number, const void *data, size_t size) {
    uint32_t start = image->bytes.count;
    vector_push(&image->parts, (image_part){name, number, start, (uint32_t)size});
    vector_resize(&image->bytes, start + (uint32_t)size);
    if (size) {
        memcpy(image->bytes.items + start, data, size);
    }
}

#define ADD(number, lvalue) add(#lvalue, (number), &(lvalue), sizeof(lvalue))

static void add_heap(const runtime_thread *t) {
    const runtime_heap *h = &t->heap;
    uint32_t n = t->number;
    uintptr_t first = heap_first(n);
    ADD(n, h->next);
    ADD(n, h->filled);
    ADD(n, h->wide_count);
    ADD(n, h->live_count);
    ADD(n, h->freed);
    ADD(n, h->large);
    ADD(n, h->free_blocks);
    if (h->next > first) {
        add("heap", n, (const void *)first, h->next - first);
    }
    for (uintptr_t at = first; at < h->next; at += GRANULE_SIZE) {
        uint8_t extent = heap_wide(at) ? 0 : (uint8_t)space_extent(at);
        add("extent", n, &extent, sizeof extent);
    }
}

/* Where the frames of the program begin: above the first address that leads back into it. */
static uintptr_t program_frames(const runtime_thread *t) {
    uintptr_t low = (t->context.stack_pointer + 7) & ~(uintptr_t)7;
    for (uintptr_t word; low + sizeof word <= t->tls; low += sizeof word) {
        memcpy(&word, (const void *)low, sizeof word);
        if (space_in_text(word)) {
            break;
        }
    }
    return low;
}

static void add_live(const runtime_thread *t) {
    uint32_t n = t->number;
    uintptr_t top = t->own_low + t->own_size;
    ADD(n, t->pending.kind);
    ADD(n, t->pending.object);
    ADD(n, t->pending.location);
    ADD(n, t->error_number);
    ADD(n, t->section_depth);
    ADD(n, t->timed);
    ADD(n, t->woken);
    ADD(n, t->deferred_size);
    ADD(n, t->kept_low);
    ADD(n, t->clock);
    ADD(n, t->acquire_clock);
    ADD(n, t->release_clock);
    if (stacks) {
        uintptr_t low = program_frames(t);
        ADD(n, t->context.stack_pointer);
        uintptr_t end = t->tls - ENTRY_SIZE;
        add("stack", n, (const void *)low, low < end ? end - low : 0);
        add("thread-local variables", n, (const void *)t->tls, top - t->tls);
    } else {
        add("thread-local variables", n, (const void *)t->tls, top - t->tls);
    }
}

static void add_thread(const runtime_thread *t) {
    uint32_t n = t->number;
    ADD(n, t->status);
    ADD(n, t->events);
    ADD(n, t->joined);
    ADD(n, t->detached);
    ADD(n, t->creator);
    ADD(n, t->creations);
    ADD(n, t->random);
    ADD(n, t->signal_mask);
    ADD(n, t->waits_in);
    ADD(n, t->result);
    ADD(n, t->returned);
    add_heap(t);
    if (t->status == THREAD_LIVE) {
        add_live(t);
    }
}

static void take_image(state_image *to) {
    image = to;
    vector_clear(&to->parts);
    vector_clear(&to->bytes);
    ADD(0, runtime.exited);
    ADD(0, runtime.failed);
    ADD(0, runtime.thread_count);
    for (uint32_t i = 0; i < space.segment_count; i++) {
        add("globals", i, (const void *)space.segments[i].low, space.segments[i].size);
    }
    for (uint32_t i = 0; i < runtime.thread_count; i++) {
        if (runtime.threads[i].status != THREAD_NONE) {
            add_thread(&runtime.threads[i]);
        }
    }
    for (uint32_t i = 1; i < syncs.count; i++) {
        ADD(i, syncs.objects[i].owner);
        ADD(i, syncs.objects[i].count);
        ADD(i, syncs.objects[i].waiters);
        ADD(i, syncs.objects[i].clock);
    }
    hidden_visit(add);
    race_visit(add);
}

/* ---- comparing ---- */

_Noreturn static void tell_difference(const image_part *p, const image_part *q) {
    fprintf(stderr, "heddle: not undone: %s of %u", p->name, p->number);
    if (p->name == q->name && p->size == q->size) {
        const unsigned char *a = undone.bytes.items + p->start;
        const unsigned char *b = replayed.bytes.items + q->start;
        uint32_t i = 0;
        while (a[i] == b[i]) {
            i++;
        }
        fprintf(stderr, " + %#x, byte %02x, replayed %02x", i, a[i], b[i]);
    } else {
        fprintf(stderr, ", %u bytes, replayed %s of %u, %u bytes", p->size, q->name, q->number,
                q->size);
    }
    fprintf(stderr, " (after %u steps)\n", way.count);
    check_failed(__FILE__, __LINE__, "going back by the log is the same as replaying");
}

static void compare(void) {
    CHECK(undone.parts.count && replayed.parts.count);
    for (uint32_t i = 0; i < undone.parts.count && i < replayed.parts.count; i++) {
        const image_part *p = &vector_at(&undone.parts, i), *q = &vector_at(&replayed.parts, i);
        if (p->name != q->name || p->number != q->number || p->size != q->size ||
            memcmp(undone.bytes.items + p->start, replayed.bytes.items + q->start, p->size) != 0) {
            tell_difference(p, q);
        }
    }
    if (undone.parts.count != replayed.parts.count) {
        bool more = undone.parts.count > replayed.parts.count;
        uint32_t i = more ? replayed.parts.count : undone.parts.count;
        const image_part *p = &vector_at(more ? &undone.parts : &replayed.parts, i);
        fprintf(stderr, "heddle: not undone: %s of %u %s\n", p->name, p->number,
                more ? "is left" : "is missing");
        check_failed(__FILE__, __LINE__, "going back by the log is the same as replaying");
    }
}

void undo_check(uint32_t length, void (*again)(const step *steps, uint32_t count)) {
    way.count = length;
    take_image(&undone);
    again(way.items, length);
    take_image(&replayed);
    compare();
}
