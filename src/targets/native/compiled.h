/* Which code of an object heddle compiled: a section of the object lists the names that its source
 * makes global. An object without the section was compiled by somebody else. One with functions
 * that the section does not list was put together from several (ld -r), of which some were; calls
 * from one of them to another cannot be watched, so that it counts as somebody else's. */
#ifndef HEDDLE_TARGETS_NATIVE_COMPILED_H
#define HEDDLE_TARGETS_NATIVE_COMPILED_H

#include <stdbool.h>

#define COMPILED_SECTION ".heddle.compiled"

/* Adds the section to the assembly that a source was compiled to. */
bool compiled_edit(const char *assembly);

#endif
