#include "targets/native/segments.h"

#include "targets/runtime/kernel/exit.h"
#include "targets/runtime/memory/space.h"

void segments_image(uintptr_t low, size_t size) {
    if (!space.image_low) {
        space.image_low = low;
    }
    space.image_size = low + size - space.image_low; /* they come in order */
}

void segments_writable(uintptr_t low, size_t size) {
    space_add_segment(low, size);
}

void segments_text(uintptr_t low, size_t size) {
    space.text_low = low;
    space.text_size = size;
}

void segments_tls(const void *image, size_t image_size, size_t size, size_t align) {
    space.tls_image = image;
    space.tls_image_size = image_size;
    space.tls_size = size;
    space.tls_align = align;
}

void segments_constructors(uintptr_t functions, size_t size) {
    exit_set_constructors(functions, size);
}

void segments_destructors(uintptr_t functions, size_t size) {
    exit_set_destructors(functions, size);
}

void segments_stacks_hold_code(void) {
    space.stacks_hold_code = true;
}

void segments_ignore_destructor(uintptr_t entry) {
    exit_ignore_destructor(entry);
}
