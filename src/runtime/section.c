#include "runtime/section.h"

#include <string.h>

#include "base/vector.h"
#include "runtime/location.h"
#include "runtime/race.h"
#include "runtime/space.h"

typedef struct undo_entry {
    uintptr_t address;
    size_t size;
    uint32_t start; /* in old_bytes */
} undo_entry;

static struct {
    bool tried;
    VECTOR(undo_entry) undo;
    VECTOR(uint8_t) old_bytes;
    VECTOR(access) accesses;
    VECTOR(uint8_t) stack;
} section;

bool section_tried(void) {
    return section.tried;
}

void section_close(void) {
    vector_free(&section.undo);
    vector_free(&section.old_bytes);
    vector_free(&section.accesses);
    vector_free(&section.stack);
}

void section_log(uintptr_t address, size_t size) {
    if (!section.tried || !size) {
        return;
    }
    uint32_t start = section.old_bytes.count;
    vector_resize(&section.old_bytes, start + (uint32_t)size);
    memcpy(&section.old_bytes.items[start], (const void *)address, size);
    vector_push(&section.undo, (undo_entry){address, size, start});
}

void section_access(runtime_thread *t, uintptr_t address, size_t size, uint8_t mode, footprint f,
                    uint32_t location) {
    if (!section.tried) {
        race_section(t, f, location);
        return;
    }
    if (mode & ACCESS_WRITE) {
        section_log(address, size);
    }
    for (uint32_t i = 0; i < footprint_count(f); i++) {
        vector_push(&section.accesses, footprint_access(f, i));
    }
}

void section_forbid(runtime_thread *t, const char *what, uint32_t location) {
    if (t->section_depth) {
        runtime_fail(t, ERROR_MISUSE, location, "%s inside an atomic section", what);
    }
}

static void undo_writes(void) {
    while (section.undo.count) {
        undo_entry u = vector_pop(&section.undo);
        memcpy((void *)u.address, &section.old_bytes.items[u.start], u.size);
    }
    vector_clear(&section.old_bytes);
}

/* Stack, thread-local block and control block of t are as if nothing had run. */
footprint section_footprint(runtime_thread *t) {
    runtime_thread thread_before = *t;
    runtime_state runtime_before = runtime;
    uintptr_t low = t->context.stack_pointer;
    uint32_t size = (uint32_t)(t->own_low + t->own_size - low);
    vector_resize(&section.stack, size);
    memcpy(section.stack.items, (const void *)low, size);
    vector_clear(&section.accesses);
    section.tried = true;
    runtime_resume(t);
    section.tried = false;
    undo_writes();
    memcpy((void *)low, section.stack.items, size);
    *t = thread_before;
    runtime = runtime_before;
    return section.accesses.count ? footprint_of(section.accesses.items, section.accesses.count)
                                  : FOOTPRINT_EMPTY;
}

void section_begin(uint32_t location) {
    runtime_thread *t = runtime.current;
    if (!t) {
        return;
    }
    if (!t->section_depth) {
        runtime_prepare(t, OPERATION_ATOMIC, 0, FOOTPRINT_EMPTY, location);
        t->pending.flags |= OPERATION_VARIES;
        t->refresh = REFRESH_SECTION;
        t->section_steps = 0;
        runtime_park(t);
    }
    t->section_depth++;
}

void section_end(uint32_t location) {
    runtime_thread *t = runtime.current;
    if (!t) {
        return;
    }
    if (!t->section_depth) {
        runtime_fail(t, ERROR_MISUSE, location, "end of an atomic section without a begin");
    }
    if (--t->section_depth == 0 && section.tried) {
        runtime_park(t); /* never comes back: the trial is taken back */
    }
}
