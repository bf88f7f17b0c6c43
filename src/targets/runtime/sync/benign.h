/* Memory whose data races the program itself calls benign, by an annotation for race detectors
 * (ANNOTATE_BENIGN_RACE, VALGRIND_HG_DISABLE_CHECKING). It counts from the annotation on, in each
 * execution anew. An annotation is no step: a program makes it before others know the memory. */
#ifndef HEDDLE_TARGETS_RUNTIME_SYNC_BENIGN_H
#define HEDDLE_TARGETS_RUNTIME_SYNC_BENIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct state_cursor;

void benign_reset(void);
void benign_close(void);
void benign_pass(struct state_cursor *c);
void benign_visit(void (*visit)(const char *name, uint32_t number, const void *data, size_t size));

/* Races in these bytes are ignored from now on; or reported again, also those of all other
 * annotations that have one of these bytes. */
void benign_begin(uintptr_t address, size_t size);
void benign_end(uintptr_t address, size_t size);

/* Whether the bytes of a granule in the mask are all in annotated memory. */
bool benign_has(uintptr_t granule, uint8_t bytes);

#endif
