/* The functions that a thread is in, from its stack: for names of locals and for call stacks. The
 * stack is unwound with the call frame information of everything that the process has loaded; each
 * frame takes microseconds, so this is only used for errors and reports, never for events. */
#ifndef HEDDLE_TARGETS_NATIVE_FRAMES_H
#define HEDDLE_TARGETS_NATIVE_FRAMES_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stdint.h>

#include "targets/runtime/kernel/runtime.h"

typedef struct frame {
    uintptr_t code; /* an address inside the call, or inside the current instruction */
    uintptr_t top;  /* the canonical frame address: the stack pointer before the call */
} frame;

/* Stores the innermost frames of a thread that has not ended, heddle's own among them; how many.
 * The thread may be the one that runs now. */
uint32_t frames_of(Dwfl *, const runtime_thread *, frame *frames, uint32_t most);

#endif
