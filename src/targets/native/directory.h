/* Directories: the private one of a build, and those of heddle's own files. */
#ifndef HEDDLE_TARGETS_NATIVE_DIRECTORY_H
#define HEDDLE_TARGETS_NATIVE_DIRECTORY_H

#include <stdbool.h>

/* Creates a directory that only the user can read, and removes those of processes that ended
 * without doing so. `path` has room for NATIVE_PATH_SIZE bytes. */
bool directory_create(char *path, char *message);

/* Removes it with the files in it. */
void directory_remove(const char *path);

/* The current one, if there is one. */
void directory_remove_present(void);

/* The directory of heddle.h, relative to the executable: in the build tree or an installation. */
bool directory_of_headers(char *path);

/* The path of a library of heddle, in the directory of the executable or in an installation. */
bool directory_find_library(const char *name, char *path);

#endif
