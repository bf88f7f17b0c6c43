/* Versions of locks, for weak memory models (versions.h): whether an attempt succeeds depends on
 * which of the versions it reads, free and held by turns. Of semaphores and read-write locks there
 * are none: their operations are executed in the order of the graph. But it must be known whether a
 * loop that tries one repeats after a failure, in every state of the program: an attempt then has
 * the choice to fail. */
#ifndef HEDDLE_TARGETS_RUNTIME_KERNEL_LOCK_VERSIONS_H
#define HEDDLE_TARGETS_RUNTIME_KERNEL_LOCK_VERSIONS_H

#include "targets/runtime/kernel/runtime.h"

void lock_versions_close(void);
void lock_versions_reset(void);

/* By synchronisation object: it was taken or given; it was initialised, and how often. */
void lock_versions_add(uint32_t sync);
void lock_versions_begin(uint32_t sync);
uint32_t lock_versions_generation(uint32_t sync);

static inline void lock_versions_count(uint32_t sync) {
    if (unlikely(runtime.versions)) {
        lock_versions_add(sync);
    }
}

/* The alternatives of a pending attempt; the current attempt reads that the lock is held. */
void lock_versions_offer(runtime_thread *);
bool lock_versions_find_held(const runtime_thread *, uint32_t sync);

/* An attempt, or a look, at what has no versions; or at anything. The present one is asked to fail.
 */
bool lock_versions_try_other(enum operation_kind);
bool lock_versions_may_ask(enum operation_kind);
bool lock_versions_fails(const runtime_thread *);

/* The pending lock waits for what is written under it. What was explored until that was learnt took
 * it for one that waits for an unlock. */
void lock_versions_poll(runtime_thread *);

/* The pending lock, attempt or look would close a void round if it found the state
 * (core/operation.h); a lock, as things are. */
bool lock_versions_wait(runtime_thread *, uint64_t old);

/* The value of a semaphore that the present look at it finds: if it was asked what it would do
 * then, its alternative. */
uint32_t lock_versions_find_value(const runtime_thread *, uint32_t sync);

/* Where an attempt may wait in a loop: if it fails with the alternative, the lock looks held by
 * somebody, whatever it is, and a semaphore empty, or as a look finds it; as it is again. */
void lock_versions_show(const runtime_thread *, uint32_t choice);
void lock_versions_hide(void);

/* All there is, for undo_check.h. */
void lock_versions_visit(void (*visit)(const char *name, uint32_t number, const void *, size_t));

#endif
