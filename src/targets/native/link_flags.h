/* The user's flags that are for the linker. */
#ifndef HEDDLE_TARGETS_NATIVE_LINK_FLAGS_H
#define HEDDLE_TARGETS_NATIVE_LINK_FLAGS_H

#include <stdio.h>

#include "base/settings.h"

/* A library that the runtime replaces: those of <heddle/actor.h> and <heddle/check.h>. */
bool link_flags_stand_in(const char *flag);

/* The library that the flag of this index means, if it is -lNAME or -l:FILE, in the directories of
 * -L, if its objects can be had: an archive, or a shared library that `heddle cc` linked. `path`
 * has room for NATIVE_PATH_SIZE bytes. */
bool link_flags_find(const settings *, uint32_t index, char *path, bool *whole);

/* Whether the user names libraries. */
bool link_flags_name_libraries(const settings *);

/* Writes the flags as the linker reads them from a file. Shared libraries are found at run time
 * where the linker found them. */
void link_flags_write(const settings *, FILE *out);

/* Those for a linking without heddle, of a program in the directory `origin`. */
void link_flags_write_all(const settings *, const char *origin, FILE *out);

#endif
