/* Cancellation of threads, deferred: a thread acts on a request at cancellation points.
 *
 * Each thread is an object whose first byte is the request and whose second is its end. A point is
 * a step that reads its own; a wait that is one also reads it, and continues when there is a
 * request, which comes before what it waits for if both are there: POSIX leaves that open, and the
 * other outcome is that of an earlier step. A waiter for a condition is woken by the request
 * itself, like by a signal. Joins are points, so that the end of a thread is a step, too.
 *
 * All this is done only in programs that refer to pthread_cancel; ends are steps also in those that
 * refer to pthread_kill. */
#ifndef HEDDLE_TARGETS_RUNTIME_SYNC_CANCEL_H
#define HEDDLE_TARGETS_RUNTIME_SYNC_CANCEL_H

#include <pthread.h>

#include "targets/runtime/kernel/runtime.h"

/* The program's cancellation points are steps of this thread now. */
static inline bool cancel_watches(const runtime_thread *t) {
    return unlikely(runtime.cancels) && t->cancel_state == PTHREAD_CANCEL_ENABLE &&
           !t->section_depth;
}

/* A cancellation point that does not wait: ends the thread if there is a request. */
void cancel_test(uint32_t location);

static inline void cancel_point(uint32_t location) {
    if (runtime.current && cancel_watches(runtime.current)) {
        cancel_test(location);
    }
}

/* The same where POSIX leaves open whether it is one: the thread acts on the request, or leaves it
 * to the next point; the latter once for each thread, so that loops end. */
void cancel_test_maybe(uint32_t location);

static inline void cancel_maybe(uint32_t location) {
    if (runtime.current && cancel_watches(runtime.current)) {
        cancel_test_maybe(location);
    }
}

/* For the rule of a pending operation that is a point, as the last thing: a request enables it. */
void cancel_refresh(runtime_thread *t);

/* The same for a step whose footprint does not depend on the state. */
footprint cancel_add(const runtime_thread *t, footprint f);

/* After the step of such an operation: ends the thread if there is a request. */
void cancel_act(runtime_thread *t);

static inline void cancel_check(runtime_thread *t) {
    if (cancel_watches(t) && t->cancelled) {
        cancel_act(t);
    }
}

/* The end of a thread, as a step; and the part of it that a join reads. */
void cancel_end(runtime_thread *t, uint32_t location);
footprint cancel_joined(const runtime_thread *t);

/* What somebody reads who asks whether the thread has ended, or was joined. */
memory_access cancel_life(const runtime_thread *t);

/* The function is given the name of another thread: ends the fiber if it was joined. */
void cancel_require_unjoined(runtime_thread *t, const runtime_thread *other, const char *function,
                             uint32_t location);

void cancel_close(void);

/* Whose cancellation an object of footprints stands for, and back (targets/native/names.c). */
bool cancel_find(uint32_t object, uint32_t *thread);
uint32_t cancel_object(uint32_t thread);

#endif
