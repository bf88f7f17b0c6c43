/* Describes an invalid access: the block, variable or stack that it misses. */
#ifndef HEDDLE_TARGETS_NATIVE_MEMORY_REPORT_H
#define HEDDLE_TARGETS_NATIVE_MEMORY_REPORT_H

#include <stddef.h>

#include "targets/native/symbolize.h"
#include "targets/runtime/memory/heap.h"

/* Makes the messages of validity.h with this symbolizer; NULL: no longer. */
void memory_report_open(symbolizer *);

/* "a heap block of 24 bytes, allocated by main at list.c:12, freed by T1 at list.c:40" */
void memory_report_block(const heap_header *, char *text, size_t size);

/* Where it was allocated, as reports have it (block_origin.h). */
uint32_t memory_report_origin(const heap_header *);

#endif
