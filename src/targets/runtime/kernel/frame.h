/* The end of locals that other threads have accessed (targets/native/frame_ends.h): a write to
 * them, as if they were freed. Usually it is in passing, like other plain accesses; where it races,
 * it is a step. The end of a thread is that of its whole stack, thread-local variables included.
 *
 * When a frame takes the place of such a local, that is another one, before the first access that
 * the frame makes; until then the memory is dead, so that every use of the local after its end is
 * found in one of the orders. Rejected: the end as two steps with dead memory between them, which
 * misses later uses that are ordered by something else that the thread has done in between. */
#ifndef HEDDLE_TARGETS_RUNTIME_KERNEL_FRAME_H
#define HEDDLE_TARGETS_RUNTIME_KERNEL_FRAME_H

#include "targets/runtime/kernel/runtime.h"

/* The thread is about to end. */
void frame_end_thread(runtime_thread *t, const void *return_address);

/* The frames of the calling thread between these addresses are left. */
void heddle_frame_ending(uintptr_t low, uintptr_t high, const void *return_address);

/* Accesses announced there are such ends. */
bool frame_is_end(uint32_t location);

/* The access announced there says that a frame of the thread has taken the place of the object,
 * which was in a frame that it had left. */
bool frame_is_reuse(uint32_t location, uint32_t thread, uint32_t object);

void frame_close(void);

#endif
