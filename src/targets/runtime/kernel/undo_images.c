#include "targets/runtime/kernel/undo_images.h"

#include <string.h>

#include "base/block.h"
#include "base/memory.h"
#include "targets/runtime/kernel/runtime.h"
#include "targets/runtime/kernel/stack.h"
#include "targets/runtime/kernel/threads.h"
#include "targets/runtime/memory/heap.h"

enum {
    MOST_IMAGES = 4,         /* of a thread; further ones are in the log */
    LARGEST_STACK = 1 << 13, /* in an image */
};

struct thread_image {
    uintptr_t low;
    uint32_t record_size, stack_size;
    uint32_t room;
    _Alignas(runtime_thread) unsigned char bytes[]; /* of the control block, then of the stack */
};

typedef struct thread_images {
    uint64_t era;
    uint32_t count; /* that the log refers to */
    bool fresh;     /* the thread is as the image after these has it */
    thread_image *images[MOST_IMAGES];
} thread_images;

static thread_images *all[RUNTIME_MAX_THREADS];
static uint64_t era = 1; /* images of an earlier one are forgotten */

static thread_images *images_of(uint32_t thread) {
    CHECK(thread < RUNTIME_MAX_THREADS);
    thread_images *of = all[thread];
    if (unlikely(!of)) {
        of = all[thread] = memory_resize(NULL, 0, sizeof *of);
    }
    if (of->era != era) {
        of->era = era;
        of->count = 0;
        of->fresh = false;
    }
    return of;
}

static size_t image_size(uint32_t room) {
    return sizeof(thread_image) + room;
}

static thread_image *make_room(thread_image *image, uint32_t room) {
    size_t old = image ? image_size(image->room) : 0;
    image = memory_resize(image, old, image_size(room));
    image->room = room;
    return image;
}

static thread_image *copy_thread(thread_image *image, const runtime_thread *t,
                                 uint32_t stack_size) {
    uint32_t record_size = (uint32_t)runtime_record_size(t), size = record_size + stack_size;
    if (!image || image->room < size) {
        image = make_room(image, size);
    }
    CHECK(t->stack_used >= t->own_low);
    image->low = t->stack_used;
    image->record_size = record_size;
    image->stack_size = stack_size;
    block_copy(image->bytes, t, record_size);
    block_copy(image->bytes + record_size, (const void *)image->low, stack_size);
    return image;
}

const thread_image *images_take(runtime_thread *t) {
    thread_images *of = images_of(t->number);
    bool fresh = of->fresh;
    of->fresh = false;
    if (!fresh) {
        stack_trim(t);
    }
    size_t stack_size = t->own_low + t->own_size - t->stack_used;
    if (of->count == MOST_IMAGES || stack_size > LARGEST_STACK) {
        return NULL;
    }
    thread_image **image = &of->images[of->count++];
    if (!fresh) {
        *image = copy_thread(*image, t, (uint32_t)stack_size);
    }
    DEBUG_CHECK(memcmp(&((const runtime_thread *)(*image)->bytes)->context, &t->context,
                       sizeof t->context) == 0);
    return *image;
}

void images_put_back(uint32_t thread, const thread_image *image) {
    thread_images *of = all[thread];
    runtime_thread *t = &runtime.threads[thread];
    CHECK(of && of->era == era && of->count > 0);
    of->count--;
    DEBUG_CHECK(of->images[of->count] == image);
    of->fresh = true;
    images_put_record(t, image->bytes, image->record_size);
    images_put_stack(t, image->low, image->bytes + image->record_size, image->stack_size);
}

void images_spoil(uint32_t thread) {
    CHECK(thread < RUNTIME_MAX_THREADS);
    if (all[thread]) {
        all[thread]->fresh = false;
    }
}

void images_forget(void) {
    era++;
}

void images_close(void) {
    for (uint32_t i = 0; i < RUNTIME_MAX_THREADS; i++) {
        for (uint32_t j = 0; all[i] && j < MOST_IMAGES; j++) {
            thread_image *image = all[i]->images[j];
            memory_resize(image, image ? image_size(image->room) : 0, 0);
        }
        all[i] = memory_resize(all[i], all[i] ? sizeof *all[i] : 0, 0);
    }
    images_forget();
}

/* All but what outlives executions. */
void images_put_record(runtime_thread *t, const unsigned char *old, size_t size) {
    CHECK(size >= offsetof(runtime_thread, heap.free_blocks) && size <= sizeof *t);
    CHECK(((const runtime_thread *)old)->number == t->number);
    heap_shrink(t, ((const runtime_thread *)old)->heap.next);
    thread_lasting lasting = threads_lasting(t);
    bool tail_used = runtime_tail_used(t);
    block_copy(t, old, size);
    threads_put_lasting(t, &lasting);
    if (tail_used && !runtime_tail_used(t)) {
        memset((char *)t + RUNTIME_TAIL, 0, sizeof *t - RUNTIME_TAIL);
    }
}

/* What was deeper had never been used. */
void images_put_stack(runtime_thread *t, uintptr_t low, const unsigned char *old, size_t size) {
    CHECK(low >= t->own_low && low + size == t->own_low + t->own_size);
    stack_extend(t, low);
    if (t->stack_used < low) {
        memset((void *)t->stack_used, 0, low - t->stack_used);
    }
    block_copy((void *)low, old, size);
}
