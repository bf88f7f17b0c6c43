/* Atomic sections: all accesses from begin to end are one step.
 *
 * What such a step will access must be known while it is pending, and depends on the state. So the
 * section is tried: run once with every write logged, then everything is restored (memory by the
 * log, the thread's stack and control block from copies) and its accesses are the footprint.
 *
 * With choices inside, every combination of them is tried and is an alternative of the step; those
 * in which it would have to wait for a mutex are left out, and if none remains, the section waits.
 * Locks inside can make it wait for several things at once: then the target needs an exhaustive
 * strategy (target.needs_all). */
#ifndef HEDDLE_TARGETS_RUNTIME_SYNC_SECTION_H
#define HEDDLE_TARGETS_RUNTIME_SYNC_SECTION_H

#include "targets/runtime/kernel/runtime.h"

/* An access inside a section; about to be done. size 0: nothing is overwritten. */
void section_access(runtime_thread *t, uintptr_t address, size_t size, uint8_t mode, footprint f,
                    uint32_t location);

/* The runtime is about to overwrite memory of the program that no access announces. */
void section_log(uintptr_t address, size_t size);

/* What the predicate of t's pending receive would access now. */
footprint section_footprint(runtime_thread *t);

/* A choice inside a section. */
unsigned section_choose(runtime_thread *t, unsigned count, uint32_t location);

/* A mutex or condition is read, or about to be changed, inside a section. */
void section_sync(runtime_thread *t, uint32_t index, const char *what, uint32_t location);

/* The section that is being tried would have to wait. Never returns. */
void section_block(runtime_thread *t);

/* The pending operation is a section that, where the program is, only reads memory and writes some
 * of what it has read: it may leave everything as it was. */
bool section_is_revocable(const runtime_thread *t);

/* Ends the fiber, with "unsupported", if it is inside a section. */
void section_forbid(runtime_thread *t, const char *what, uint32_t location);

/* A section is being tried: everything that happens will be undone. */
bool section_tried(void);

void section_close(void);

/* Sections nest; only the outermost counts. */
void section_begin(uint32_t location);
void section_end(uint32_t location);

#endif
