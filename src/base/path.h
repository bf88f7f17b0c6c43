/* File names for reports. */
#ifndef HEDDLE_BASE_PATH_H
#define HEDDLE_BASE_PATH_H

#include <stdbool.h>

/* The name relative to the current directory; the result points into `path`. */
const char *path_shown(const char *path);

/* The file without its directories. */
const char *path_name(const char *path);

/* The shortest end of `path` that distinguishes it from `other`: "util.c", "a/util.c"; all of it,
 * if they are the same. */
const char *path_end_unlike(const char *path, const char *other);

/* The name ends with this suffix, after something else. */
bool path_has_suffix(const char *path, const char *suffix);

#endif
