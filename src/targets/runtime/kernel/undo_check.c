#include "targets/runtime/kernel/undo_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/vector.h"
#include "targets/runtime/kernel/runtime.h"
#include "targets/runtime/kernel/stack.h"
#include "targets/runtime/kernel/state.h"
#include "targets/runtime/kernel/undo_images.h"
#include "targets/runtime/kernel/versions.h"
#include "targets/runtime/libc/channels.h"
#include "targets/runtime/memory/heap.h"
#include "targets/runtime/memory/hidden.h"
#include "targets/runtime/memory/space.h"
#include "targets/runtime/race/race.h"
#include "targets/runtime/sync/annotation.h"
#include "targets/runtime/sync/clock.h"
#include "targets/runtime/sync/inbox.h"
#include "targets/runtime/sync/marks.h"
#include "targets/runtime/sync/sync.h"

/* Of larger parts a hash is compared, of its first bytes. */
enum { LARGEST_PART = 1 << 16, HASHED_SIZE = 1 << 24 };

typedef struct image_part {
    const char *name;
    uint32_t number; /* of a thread, an object, a segment */
    uint32_t start, size;
} image_part;

typedef struct state_image {
    VECTOR(image_part) parts;
    VECTOR(unsigned char) bytes;
} state_image;

/* The stack of a thread where a unit begins. */
typedef struct stack_mark {
    uint32_t unit, thread;
    uintptr_t low;
    uint64_t hash;
} stack_mark;

bool undo_checks, undo_canary;
static VECTOR(step) way;
static bool replays; /* the way there is */
static state_image undone, replayed, *image;
static VECTOR(stack_mark) marks;
static VECTOR(unsigned char) stacks, races;

void undo_check_open(void) {
    const char *wanted = getenv("HEDDLE_CHECK_UNDO");
#ifdef HEDDLE_DEBUG
    undo_checks = true;
#else
    undo_checks = wanted != NULL;
#endif
    undo_canary = wanted && strcmp(wanted, "canary") == 0;
}

static void free_image(state_image *i) {
    vector_free(&i->parts);
    vector_free(&i->bytes);
}

void undo_check_close(void) {
    vector_free(&way);
    vector_free(&marks);
    vector_free(&stacks);
    vector_free(&races);
    free_image(&undone);
    free_image(&replayed);
}

void undo_check_reset(void) {
    vector_clear(&way);
}

void undo_check_note(step taken) {
    if (!replays) {
        vector_push(&way, taken);
    }
}

/* ---- what is compared ---- */

static void add(const char *name, uint32_t number, const void *data, size_t size) {
    uint64_t hash;
    if (size > LARGEST_PART) {
        hash = bytes_checksum(data, size < HASHED_SIZE ? size : HASHED_SIZE);
        data = &hash;
        size = sizeof hash;
    }
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
    uint64_t extents = 0;
    for (uintptr_t at = first; at < h->next; at += GRANULE_SIZE) {
        const heap_header *wide = heap_wide(at);
        extents = (extents ^ (wide ? 0 : space_extent(at))) * 0x9e3779b97f4a7c15u;
        uintptr_t end = wide ? heap_start_of(wide) + wide->size / GRANULE_SIZE * GRANULE_SIZE : at;
        at = end > at ? end : at;
    }
    ADD(n, extents);
}

/* The pending operation, brought up to date. */
static void add_pending(runtime_thread *t) {
    uint32_t n = t->number;
    runtime_pending(space.target, n);
    ADD(n, t->refresh);
    ADD(n, t->pending.kind);
    ADD(n, t->pending.flags);
    ADD(n, t->pending.object);
    ADD(n, t->pending.location);
    ADD(n, t->pending.footprint);
    add("causes", n, t->pending.causes, t->pending.cause_count * sizeof *t->pending.causes);
}

static void add_live(runtime_thread *t) {
    uint32_t n = t->number;
    uintptr_t top = t->own_low + t->own_size;
    add_pending(t);
    ADD(n, t->error_number);
    ADD(n, t->section_depth);
    ADD(n, t->timed);
    ADD(n, t->woken);
    ADD(n, t->times_out);
    ADD(n, t->deadline);
    ADD(n, t->cleanup);
    ADD(n, t->group);
    ADD(n, t->serial);
    ADD(n, t->serial_matters);
    ADD(n, t->deferred_size);
    ADD(n, t->bits_address);
    ADD(n, t->bits_size);
    ADD(n, t->kept_low);
    ADD(n, t->clock);
    ADD(n, t->acquire_clock);
    ADD(n, t->release_clock);
    add("thread-local variables", n, (const void *)t->tls, top - t->tls);
}

static void add_thread(runtime_thread *t) {
    uint32_t n = t->number;
    ADD(n, t->status);
    ADD(n, t->events);
    ADD(n, t->joined);
    ADD(n, t->gone);
    ADD(n, t->detached);
    ADD(n, t->creator);
    ADD(n, t->creations);
    ADD(n, t->random.state);
    ADD(n, t->signal_mask);
    ADD(n, t->waits_in);
    ADD(n, t->result);
    ADD(n, t->returned);
    ADD(n, t->left);
    ADD(n, t->dead);
    ADD(n, t->keys);
    ADD(n, t->keys_created);
    ADD(n, t->keys_deleted);
    ADD(n, t->cancel_state);
    ADD(n, t->cancel_type);
    ADD(n, t->name);
    ADD(n, t->policy);
    ADD(n, t->priority);
    ADD(n, t->time);
    ADD(n, t->slept);
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
        const unsigned char *object = (const unsigned char *)sync_object_at(i);
        size_t first = offsetof(sync_object, owner), end = offsetof(sync_object, coarse);
        add("synchronisation object", i, object + first, end - first);
    }
    marks_visit(add);
    annotation_visit(add);
    inbox_visit(add);
    clock_visit(add);
    hidden_visit(add);
    channels_visit(add);
    race_visit(add);
    versions_visit(add);
}

/* ---- comparing ---- */

_Noreturn static void report_difference(const image_part *p, const image_part *q) {
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
            report_difference(p, q);
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

/* ---- stacks: as they were where the unit began ---- */

static uintptr_t top_of(const runtime_thread *t) {
    return t->own_low + t->own_size;
}

void undo_check_begin(uint32_t unit) {
    while (marks.count && vector_last(&marks).unit >= unit) {
        marks.count--;
    }
    for (uint32_t i = 0; i < runtime.thread_count; i++) {
        const runtime_thread *t = &runtime.threads[i];
        if (t->status == THREAD_LIVE) {
            uint64_t hash = bytes_checksum((const void *)t->stack_used, top_of(t) - t->stack_used);
            vector_push(&marks, (stack_mark){unit, i, t->stack_used, hash});
        }
    }
}

static void compare_stacks(uint32_t unit) {
    for (uint32_t i = 0; i < marks.count; i++) {
        const stack_mark *m = &vector_at(&marks, i);
        runtime_thread *t = &runtime.threads[m->thread];
        if (m->unit != unit) {
            continue;
        }
        stack_extend(t, m->low);
        if (m->hash != bytes_checksum((const void *)m->low, top_of(t) - m->low)) {
            fprintf(stderr, "heddle: not undone: stack of %u (after %u steps)\n", m->thread,
                    way.count);
            check_failed(__FILE__, __LINE__, "going back puts stacks back as they were");
        }
    }
}

typedef struct kept_stack {
    uintptr_t low;
    fiber_context context;
} kept_stack;

/* Stacks and contexts of the threads that live, kept or put back. What a replay leaves there
 * depends on how a step was taken. */
static void keep_stack(const runtime_thread *t) {
    kept_stack kept = {t->stack_used, t->context};
    uint32_t used = stacks.count, size = (uint32_t)(top_of(t) - kept.low);
    CHECK(kept.low - t->own_low < t->own_size);
    vector_resize(&stacks, used + sizeof kept + size);
    memcpy(stacks.items + used, &kept, sizeof kept);
    memcpy(stacks.items + used + sizeof kept, (const void *)kept.low, size);
}

static void keep_stacks(void) {
    vector_clear(&stacks);
    for (uint32_t i = 0; i < runtime.thread_count; i++) {
        if (runtime.threads[i].status == THREAD_LIVE) {
            keep_stack(&runtime.threads[i]);
        }
    }
}

static void put_stacks_back(void) {
    uint32_t used = 0;
    for (uint32_t i = 0; i < runtime.thread_count; i++) {
        runtime_thread *t = &runtime.threads[i];
        if (t->status != THREAD_LIVE) {
            continue;
        }
        kept_stack kept;
        CHECK(used + sizeof kept <= stacks.count);
        memcpy(&kept, stacks.items + used, sizeof kept);
        used += (uint32_t)sizeof kept;
        CHECK(used + (top_of(t) - kept.low) <= stacks.count);
        images_put_stack(t, kept.low, stacks.items + used, top_of(t) - kept.low);
        t->context = kept.context;
        used += (uint32_t)(top_of(t) - kept.low);
    }
    CHECK(used == stacks.count);
}

/* What the detector has is equal, but its histories may have other numbers, which the log names. */
static void pass_races(enum cursor_direction direction) {
    state_cursor c = {.direction = CURSOR_MEASURES};
    if (direction == CURSOR_SAVES) {
        race_pass(&c);
        vector_resize(&races, (uint32_t)c.size);
    }
    c = (state_cursor){.direction = direction, .at = races.items};
    race_pass(&c);
    CHECK(c.size == races.count);
}

void undo_check(uint32_t unit, uint32_t length, void (*again)(const step *steps, uint32_t count)) {
    CHECK(length <= way.count); /* going back, never forward */
    way.count = length;
    compare_stacks(unit);
    take_image(&undone);
    keep_stacks();
    uint32_t execution = race_execution();
    pass_races(CURSOR_SAVES);
    replays = true;
    again(way.items, length);
    replays = false;
    take_image(&replayed);
    compare();
    put_stacks_back();
    pass_races(CURSOR_RESTORES);
    race_rename_execution(execution);
}
