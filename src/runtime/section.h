/* Atomic sections: all accesses from begin to end are one step.
 *
 * What such a step will access must be known while it is pending, and depends on the state. So the
 * section is tried: run once with every write logged, then everything is put back (memory by the
 * log, the thread's stack and control block from copies) and its accesses are the footprint. */
#ifndef HEDDLE_RUNTIME_SECTION_H
#define HEDDLE_RUNTIME_SECTION_H

#include "runtime/runtime.h"

/* An access inside a section; about to be done. size 0: nothing is overwritten. */
void section_access(runtime_thread *t, uintptr_t address, size_t size, uint8_t mode, footprint f,
                    uint32_t location);

/* The runtime is about to overwrite memory of the program that no access announces. */
void section_log(uintptr_t address, size_t size);

/* What the pending section of t would access now. */
footprint section_footprint(runtime_thread *t);

/* Ends the fiber with a misuse if it is inside a section. */
void section_forbid(runtime_thread *t, const char *what, uint32_t location);

/* A section is being tried: nothing of what happens is real. */
bool section_tried(void);

void section_close(void);

/* Sections nest; only the outermost counts. */
void section_begin(uint32_t location);
void section_end(uint32_t location);

#endif
