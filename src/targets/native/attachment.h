/* A file appended to another one, where the loader and the linker do not look. What `heddle
 * cc` links carries such files:
 *
 *   a program          an ordinary executable of the same objects: the program itself is for heddle
 *                      to load, and starting it runs that executable (linked/entry.c)
 *   a shared library   an archive of its objects, for programs that `heddle cc` links with it: the
 *                      library itself is for ordinary programs */
#ifndef HEDDLE_TARGETS_NATIVE_ATTACHMENT_H
#define HEDDLE_TARGETS_NATIVE_ATTACHMENT_H

#include <stdbool.h>
#include <stdint.h>

/* Appends `file` to `output`. */
bool attachment_append(const char *output, const char *file);

bool attachment_is_there(const char *path);

/* Writes what is attached to `path` to `file`; false if there is nothing. */
bool attachment_extract(const char *path, const char *file);

/* Where what is attached begins, or the end of the file if nothing is; -1 if it cannot be read. */
int64_t attachment_place(const char *path);

#endif
