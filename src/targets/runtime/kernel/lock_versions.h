/* Versions of locks, for weak memory models (versions.h): whether an attempt succeeds depends on
 * the version that it reads; versions are free and held in turn. Semaphores and read-write locks
 * have no versions: their operations are executed in the order of the graph. But heddle must know,
 * in every state of the program, whether a loop that tries one repeats after a failure: an attempt
 * then has the choice to fail. */
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

/* An attempt, or a look, at an object without versions; or at any object. The current one has to
 * fail. */
bool lock_versions_try_other(enum operation_kind);
bool lock_versions_may_ask(enum operation_kind);
bool lock_versions_fails(const runtime_thread *);

/* The pending lock waits for a write under it. Executions explored before this was learnt treated
 * it as one that waits for an unlock. */
void lock_versions_poll(runtime_thread *);

/* The pending lock, attempt or look would close a void round if it found the state
 * (core/operation.h); for a lock, the current state. */
bool lock_versions_wait(runtime_thread *, uint64_t old);

/* The value of a semaphore that the current look at it finds: its alternative, if heddle tries what
 * the thread would do with that value. */
uint32_t lock_versions_find_value(const runtime_thread *, uint32_t sync);

/* Where an attempt may wait in a loop: if it fails with the alternative, the lock looks held by
 * somebody, whatever it is, and a semaphore empty, or as a look finds it; as it is again. */
void lock_versions_show(const runtime_thread *, uint32_t choice);
void lock_versions_hide(void);

/* All there is, for undo_check.h. */
void lock_versions_visit(void (*visit)(const char *name, uint32_t number, const void *, size_t));

#endif
