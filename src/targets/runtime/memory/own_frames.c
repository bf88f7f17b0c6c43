#include "targets/runtime/memory/own_frames.h"

#include <string.h>

#include "targets/runtime/memory/space.h"

enum { MOST_FRAMES = 64 };

bool (*own_frames_rule)(uintptr_t code, frame_rule *rule);

static bool read_word(const runtime_thread *t, uintptr_t address, uintptr_t *word) {
    if (address - t->own_low >= t->own_size || address % sizeof *word) {
        return false;
    }
    memcpy(word, (const void *)address, sizeof *word);
    return true;
}

static bool is_in_program(uintptr_t code) {
    return code - space.text_low < space.text_size;
}

uintptr_t own_frames_end(const runtime_thread *t, const fiber_context *place) {
    uintptr_t code = place->resume, stack = place->stack_pointer, frame = place->frame_pointer;
    frame_rule rule;
    for (unsigned i = 0; own_frames_rule && i < MOST_FRAMES; i++) {
        if (!own_frames_rule(code, &rule)) {
            break;
        }
        uintptr_t end = (rule.by_frame_pointer ? frame : stack) + (uintptr_t)rule.size;
        if (end <= stack || !read_word(t, end - sizeof code, &code) ||
            (rule.saves && !read_word(t, end + (uintptr_t)rule.saved, &frame))) {
            break;
        }
        if (is_in_program(code)) {
            return end;
        }
        stack = end;
        code--; /* of the call, not of what follows it */
    }
    return place->stack_pointer;
}
