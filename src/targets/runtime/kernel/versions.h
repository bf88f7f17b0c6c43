/* Versions of atomic memory, for weak memory models (explore/target.h, keep_versions).
 *
 * Memory holds the latest version of each atomic object, in coherence order, of those that were
 * written so far. A step that reads another one finds it in memory: it is put there before the step
 * and taken away after it, so that the code that does the operation does not know. In between only
 * that thread runs, and does not touch the object again without another step. What an acquiring
 * read synchronises with belongs to the version, too.
 *
 * Memory that is accessed atomically may be written plainly afterwards, to initialise it again, or
 * because the frame of a local is used by another function. That is noticed when it is next
 * accessed atomically, which begins another generation of it: in a program without races all
 * accesses before the write happen before it, and those that follow after it. The initialisation of
 * a synchronisation object begins another generation, too.
 */
#ifndef HEDDLE_TARGETS_RUNTIME_KERNEL_VERSIONS_H
#define HEDDLE_TARGETS_RUNTIME_KERNEL_VERSIONS_H

#include "targets/runtime/kernel/runtime.h"

/* What an atomic operation makes of the old value and its operand. */
enum version_function {
    VERSION_read,
    VERSION_store,
    VERSION_exchange,
    VERSION_fetch_add,
    VERSION_fetch_sub,
    VERSION_fetch_and,
    VERSION_fetch_or,
    VERSION_fetch_xor,
    VERSION_fetch_nand,
    VERSION_compare,
};

void versions_close(void);
void versions_reset(void);

/* From the next reset on. */
void versions_keep(target *, bool keep);

/* The operation that the thread is about to announce. */
void versions_note(runtime_thread *, uintptr_t address, size_t size, enum version_function,
                   version_value operand, int order, int failure);

static inline void versions_announce(const volatile void *place, size_t size,
                                     enum version_function function, version_value operand,
                                     int order, int failure) {
    if (unlikely(runtime.versions) && runtime.current) {
        versions_note(runtime.current, (uintptr_t)place, size, function, operand, order, failure);
    }
}

enum access_order versions_order(int order);

/* The alternatives of the pending operation. */
void versions_offer(runtime_thread *);

/* Memory holds the version that is an alternative of the pending operation; the latest again. */
void versions_show(const runtime_thread *, uint32_t choice);
void versions_hide(const runtime_thread *);

/* The life of the locals in a granule has ended. */
void versions_end(uintptr_t granule);

/* Around a step of the thread, which has a version. */
void versions_before(runtime_thread *, uint32_t choice);
void versions_finish(void);

/* How many changes were made; the second undoes those after that number (undo.h). */
uint32_t versions_mark(void);
void versions_go_back(uint32_t mark);
void versions_forget(void); /* of changes, for which no mark is left */

/* All there is, for undo_check.h. */
void versions_visit(void (*visit)(const char *name, uint32_t number, const void *, size_t));

/* For the target. */
bool versions_written(target *, uint32_t thread, uint64_t old, uint64_t *value);
uint64_t versions_initial(target *, uint32_t thread);
uint32_t versions_generation(target *, uint32_t thread);
bool versions_wait(target *, uint32_t thread, uint64_t old);

#endif
