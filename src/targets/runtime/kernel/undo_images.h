/* Images of threads: a control block and a stack as they were when a unit of the log (undo.h)
 * touched the thread first.
 *
 * Executions mostly go back to the same places, and from there the same threads continue. A thread
 * that was restored from its image, and has not changed since, need not be copied when it
 * continues: the image is still right. Images therefore lie outside of the log, which is
 * overwritten, a few for each thread: the log refers to them in order, so that they are a stack. A
 * change to a thread that does not run invalidates its image. */
#ifndef HEDDLE_TARGETS_RUNTIME_KERNEL_UNDO_IMAGES_H
#define HEDDLE_TARGETS_RUNTIME_KERNEL_UNDO_IMAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct runtime_thread;

typedef struct thread_image thread_image;

/* The log refers to a further image of the thread, as it is now. NULL: there is no room for one. */
const thread_image *images_take(struct runtime_thread *);

/* Puts the thread back to the latest image that the log refers to, which it no longer does. */
void images_put_back(uint32_t thread, const thread_image *);

/* The thread is no longer as any image has it. */
void images_spoil(uint32_t thread);

/* The log refers to no image. */
void images_forget(void);
void images_close(void);

/* Puts a control block and a stack back, which were those of the thread at some time. */
void images_put_record(struct runtime_thread *, const unsigned char *old, size_t size);
void images_put_stack(struct runtime_thread *, uintptr_t low, const unsigned char *old,
                      size_t size);

#endif
