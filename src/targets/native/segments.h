/* The runtime's address space as the loader sees it. */
#ifndef HEDDLE_TARGETS_NATIVE_SEGMENTS_H
#define HEDDLE_TARGETS_NATIVE_SEGMENTS_H

#include <stddef.h>
#include <stdint.h>

/* Any segment. */
void segments_image(uintptr_t low, size_t size);
void segments_writable(uintptr_t low, size_t size);
void segments_text(uintptr_t low, size_t size);

/* Arrays of functions that run before main and after the end (targets/runtime/kernel/exit.h). */
void segments_constructors(uintptr_t functions, size_t size);
void segments_destructors(uintptr_t functions, size_t size);
void segments_ignore_destructor(uintptr_t entry);

/* The program wants stacks that can be executed. */
void segments_stacks_hold_code(void);

void segments_tls(const void *image, size_t image_size, size_t size, size_t align);

#endif
