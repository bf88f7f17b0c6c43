/* Objects that are linked to programs: compiled with heddle, and parts of its executable. */
#ifndef HEDDLE_TARGETS_NATIVE_LINKED_H
#define HEDDLE_TARGETS_NATIVE_LINKED_H

#include <stdbool.h>

/* Defines SITES_BOUNDS (targets/native/sites.h). */
bool linked_write_bounds(const char *path);

/* Defines heddle_entry, the entry point of a program that is started directly. */
bool linked_write_entry(const char *path);

#endif
