/* Where the frames of the program end in a stack, and those of heddle's functions begin, which it
 * has called: what lies below is dead, though heddle uses it.
 *
 * The frames are followed by the compiler's tables for unwinding, a few look-ups for each, because
 * nothing else is certain. Rejected: looking for the return address in the stack, of which an
 * earlier call may have left a copy (a dead local was taken for alive); frame pointers in heddle's
 * own code, which cost 2 to 9 %. */
#ifndef HEDDLE_TARGETS_RUNTIME_MEMORY_OWN_FRAMES_H
#define HEDDLE_TARGETS_RUNTIME_MEMORY_OWN_FRAMES_H

#include "targets/runtime/kernel/runtime.h"

/* How the frame of a function lies in the stack at one of its instructions: how far its end is from
 * a register, and where from there the frame pointer of its caller is. */
typedef struct frame_rule {
    bool by_frame_pointer; /* otherwise by the stack pointer */
    bool saves;            /* otherwise the register still holds the caller's */
    intptr_t size, saved;
} frame_rule;

/* Finds the rule for an instruction of heddle's; set by the target, which can read the tables. */
extern bool (*own_frames_rule)(uintptr_t code, frame_rule *rule);

/* The stack pointer of the program's innermost function, or that of the place where it is not
 * known. */
uintptr_t own_frames_end(const runtime_thread *t, const fiber_context *place);

/* The place that this is in, for own_frames_end. */
#ifdef __x86_64__
#define OWN_FRAMES_HERE(place)                                                \
    __asm__ volatile("leaq 0(%%rip), %0\n\tmovq %%rsp, %1\n\tmovq %%rbp, %2"  \
                     : "=&r"((place)->resume), "=&r"((place)->stack_pointer), \
                       "=r"((place)->frame_pointer))
#else
#define OWN_FRAMES_HERE(place) ((place)->stack_pointer = FIBER_CALLER_STACK())
#endif

#endif
