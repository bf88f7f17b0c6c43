/* Versions of locks, for weak memory models (versions.h): whether an attempt succeeds depends on
 * which of the versions it reads, free and held by turns. Of semaphores and read-write locks there
 * are none: their operations are executed in the order of the graph. But a loop that tries one is
 * asked whether it goes round after a failure, wherever the program is: an attempt has the choice
 * to fail then. */
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

/* Of a pending attempt: an alternative with which it fails, or CHOICE_NONE. */
uint32_t lock_versions_held(const runtime_thread *);

/* An attempt of what has no versions; it would fail if it found the state (core/operation.h). The
 * present one is asked to fail. */
bool lock_versions_try_other(enum operation_kind);
bool lock_versions_would_fail(enum operation_kind, uint64_t state);
bool lock_versions_fails(const runtime_thread *);

/* Where an attempt may wait in a loop: if it fails with the alternative, the lock looks held by
 * somebody, whatever it is, and a semaphore empty; as it is again. */
void lock_versions_show(const runtime_thread *, uint32_t choice);
void lock_versions_hide(void);

/* All there is, for undo_check.h. */
void lock_versions_visit(void (*visit)(const char *name, uint32_t number, const void *, size_t));

#endif
