/* Versions of locks, for weak memory models (versions.h): whether an attempt succeeds depends on
 * which of the versions it reads, free and held by turns. */
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

/* The alternatives of a pending attempt; the present attempt reads that the lock is held. */
void lock_versions_offer(runtime_thread *);
bool lock_versions_find_held(const runtime_thread *, uint32_t sync);

/* Of a pending attempt: an alternative with which it fails, or CHOICE_NONE. */
uint32_t lock_versions_held(const runtime_thread *);

/* Where an attempt may wait in a loop: if it fails with the alternative, the lock looks held by
 * somebody, whatever it is; as it is again. */
void lock_versions_show(const runtime_thread *, uint32_t choice);
void lock_versions_hide(void);

/* All there is, for undo_check.h. */
void lock_versions_visit(void (*visit)(const char *name, uint32_t number, const void *, size_t));

#endif
