/* File names as people like to see them. */
#ifndef HEDDLE_BASE_PATH_H
#define HEDDLE_BASE_PATH_H

#include <stdbool.h>

/* The name without the directory that we are in; the result points into `path`. */
const char *path_shown(const char *path);

/* The name ends so, after something else. */
bool path_has_suffix(const char *path, const char *suffix);

#endif
