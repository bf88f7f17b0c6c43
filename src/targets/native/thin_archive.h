/* Thin archives, which have only the names of their members: what Meson makes of static libraries.
 */
#ifndef HEDDLE_TARGETS_NATIVE_THIN_ARCHIVE_H
#define HEDDLE_TARGETS_NATIVE_THIN_ARCHIVE_H

#include <stdbool.h>

bool thin_archive_is(const char *path);

/* Makes an ordinary archive out of it. */
bool thin_archive_copy(const char *from, const char *to);

#endif
