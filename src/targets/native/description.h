/* Names of threads, objects and places of a C program in messages and reports. */
#ifndef HEDDLE_TARGETS_NATIVE_DESCRIPTION_H
#define HEDDLE_TARGETS_NATIVE_DESCRIPTION_H

#include <stdio.h>

#include "explore/target.h"
#include "targets/native/symbolize.h"
#include "targets/runtime/race/race.h"

/* Names come from there; NULL: the program is unloaded. */
void description_open(symbolizer *);

/* Functions of a target (explore/target.h). */
void description_of_thread(target *, uint32_t thread, FILE *out);
void description_of_object(target *, uint32_t object, FILE *out);
void description_of_access(target *, memory_access, FILE *out);
void description_of_whole(target *, uint32_t object, FILE *out);
void description_of_role(target *, uint32_t thread, FILE *out);
uint32_t description_of_stack(target *, uint32_t thread, uint32_t *locations, uint32_t most);
bool description_of_value(target *, memory_access, uint64_t value, FILE *out);
bool description_of_range(target *, footprint, FILE *out);
bool description_of_missing(target *, uint32_t object, uint32_t location, bool writes, FILE *out);
bool description_of_location(target *, uint32_t location, const char **file, uint32_t *line);
uint32_t description_of_column(target *, uint32_t location);
const char *description_of_function(target *, uint32_t location);

const char *description_of_race(const race_report *);

/* What the race is on: "queue.head". */
void description_of_raced(const race_report *, char *name, size_t size);

#endif
