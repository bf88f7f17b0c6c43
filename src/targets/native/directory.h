/* Directorys: the private one of a build, and where heddle's own files are. */
#ifndef HEDDLE_TARGETS_NATIVE_DIRECTORY_H
#define HEDDLE_TARGETS_NATIVE_DIRECTORY_H

#include <stdbool.h>

/* Makes a directory that only the user can read, and removes those that processes left behind which
 * could not. `path` has room for NATIVE_PATH_SIZE bytes. */
bool directory_create(char *path, char *message);

/* Removes it with the files in it. */
void directory_remove(const char *path);

/* The one that is there now, if one is. */
void directory_remove_present(void);

/* Where heddle.h is, seen from the executable: the build tree or an installation. */
bool directory_of_headers(char *path);

/* The path of a library of heddle's, beside the executable or in an installation. */
bool directory_find_library(const char *name, char *path);

#endif
