/* Whether a section has changed the memory that it wrote: one that did not may be part of a loop
 * that waits (kernel/spin.h). Few granules are looked at; more count as changed. */
#ifndef HEDDLE_TARGETS_RUNTIME_SYNC_SECTION_WRITES_H
#define HEDDLE_TARGETS_RUNTIME_SYNC_SECTION_WRITES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void section_writes_begin(void);

/* The section is about to write there. */
void section_writes_note(uintptr_t address, size_t size);

/* At its end. */
bool section_writes_change(void);

#endif
