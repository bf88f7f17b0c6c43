/* File names as people like to see them. */
#ifndef HEDDLE_BASE_PATH_H
#define HEDDLE_BASE_PATH_H

/* The name without the directory that we are in; the result points into `path`. */
const char *path_shown(const char *path);

#endif
