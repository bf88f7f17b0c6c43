/* Threads: creation, end, join, identity.
 *
 * A thread's number depends on its creator and on how many threads that one had created before,
 * and on nothing else: the order in which different threads create threads does not matter. */
#ifndef HEDDLE_TARGETS_RUNTIME_KERNEL_THREADS_H
#define HEDDLE_TARGETS_RUNTIME_KERNEL_THREADS_H

#include <pthread.h>

#include "targets/runtime/kernel/runtime.h"

void threads_open(void);
void threads_close(void);

/* A name that shows where the thread comes from: "T2.1" is the first child of main's second. It is
 * the same in every process, unlike the number: threads are numbered as they are first seen. Every
 * message, table and schedule calls a thread by it. False if the memory that holds the creators is
 * inconsistent, which is possible only for threads of another process (base/witness.h); a name that
 * is too long is cut. */
bool threads_name(uint32_t number, char *name, size_t size);

/* Of a thread of the process that shares that witness. */
bool threads_name_of(const void *witness, uint32_t number, char *name, size_t size);

/* The same, of a thread of this process and in full. */
void threads_describe(uint32_t number, FILE *out);

/* The next number is for the thread of that name. False if it is no name of one that can be next.
 */
bool threads_expect(const char *name);

/* From now on, numbers are given out together with the other processes that share this memory,
 * which is zeroes at the start: RUNTIME_MAX_THREADS words. */
void threads_share(uint64_t *words);

/* The same if that memory is on another machine: `ask` has threads_claim called there. */
void threads_share_elsewhere(uint64_t (*ask)(uint32_t number, uint64_t origin));

/* Whose number that is, as creator << 32 | creation: of the thread from `origin`, unless it was
 * given to another. */
uint64_t threads_claim(uint32_t number, uint64_t origin);

/* The number of the thread's next child, after the given number of others. False if there are no
 * more. */
bool threads_number_child(uint32_t creator, uint32_t creations, uint32_t *number);

void threads_open_numbers(void);
void threads_close_numbers(void);

/* How many numbers have been given out. */
uint32_t threads_known(void);

/* Encodes where each thread that has a number comes from; the other process decodes it before it
 * encounters threads in another order. The reader fails if a number is another thread's. Returns
 * how many the other process knew, which may be less than are known here. */
struct bytes;
struct byte_reader;
void threads_encode(struct bytes *);
uint32_t threads_decode(struct byte_reader *);

/* What outlives an execution: where the thread's memory is, and how much of it was ever used. */
typedef struct thread_lasting {
    uintptr_t own_low, stack_used, heap_limit, heap_touched;
    size_t own_size;
    uint32_t stack_looks;
} thread_lasting;

static inline thread_lasting threads_lasting(const runtime_thread *t) {
    return (thread_lasting){.own_low = t->own_low,
                            .stack_used = t->stack_used,
                            .heap_limit = t->heap.limit,
                            .heap_touched = t->heap.touched,
                            .own_size = t->own_size,
                            .stack_looks = t->stack_looks};
}

static inline void threads_put_lasting(runtime_thread *t, const thread_lasting *l) {
    t->own_low = l->own_low;
    t->stack_used = l->stack_used;
    t->heap.limit = l->heap_limit;
    t->heap.touched = l->heap_touched;
    t->own_size = l->own_size;
    t->stack_looks = l->stack_looks;
}

/* Forgets all threads and makes main ready to start. */
void threads_reset(void);

/* The thread was never started. */
void threads_undo_start(uint32_t number);

/* A step: creates a thread. */
runtime_thread *threads_create(runtime_thread *t, void *(*start)(void *), void *argument,
                               uint32_t location);

/* The work of pthread_create, pthread_join and pthread_detach; `what` is the name of the function.
 * */
pthread_t threads_start(runtime_thread *t, const pthread_attr_t *attributes, void *(*start)(void *),
                        void *argument, const char *what, uint32_t location);

/* Whether there is such a priority; the thread has it from now on. */
bool threads_can_have(int policy, int priority);
void threads_set_priority(runtime_thread *of, int policy, int priority);

int threads_join(pthread_t id, void **result, const char *what, uint32_t location);
int threads_detach(pthread_t id, const char *what, uint32_t location);

/* The thread of a pthread_t, or NULL. */
runtime_thread *threads_by_id(pthread_t id);

/* A step: waits until the other thread has ended. */
void threads_await_end(runtime_thread *t, const runtime_thread *other, uint32_t location);

/* The location of the operation that was pending last. */
uint32_t threads_location(uint32_t number);

/* No other thread is alive. */
bool threads_is_alone(const runtime_thread *);

#endif
