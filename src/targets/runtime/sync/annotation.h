/* Annotations for race detectors: that something at an address happens before something else
 * (__tsan_release and __tsan_acquire; AnnotateHappensBefore and AnnotateHappensAfter; the macros of
 * valgrind's headers, client_request.c). Each is a step that reads and writes an object of the
 * address. */
#ifndef HEDDLE_TARGETS_RUNTIME_SYNC_ANNOTATION_H
#define HEDDLE_TARGETS_RUNTIME_SYNC_ANNOTATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct state_cursor;

void annotation_reset(void);
void annotation_close(void);
void annotation_pass(struct state_cursor *c);
void annotation_visit(void (*visit)(const char *name, uint32_t number, const void *data,
                                    size_t size));

/* What was done before a release happens before what is done after a later acquire; unless all
 * releases have been forgotten in between. */
void annotation_acquire(const volatile void *place, uint32_t location);
void annotation_release(const volatile void *place, uint32_t location);
void annotation_forget(const volatile void *place, uint32_t location);

/* A lock of the program's own was taken, or is about to be given back, alone or with others. */
void annotation_lock(const volatile void *lock, bool shared, uint32_t location);
void annotation_unlock(const volatile void *lock, bool shared, uint32_t location);

/* The current thread has the lock alone. */
bool annotation_is_owner(const volatile void *lock);

/* The place that an object of footprints stands for, and back (targets/native/names.c). */
bool annotation_find(uint32_t object, uintptr_t *address);
uint32_t annotation_object(uintptr_t address);

#endif
