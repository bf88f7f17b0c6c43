/* Which functions of the program are replaced by heddle's, and what is linked in between: written
 * into files for objcopy, the compiler and the linker. */
#ifndef HEDDLE_TARGETS_NATIVE_LINK_NAMES_H
#define HEDDLE_TARGETS_NATIVE_LINK_NAMES_H

#include "targets/native/building.h"

typedef struct linking_paths {
    char names[NATIVE_PATH_SIZE], stubs[NATIVE_PATH_SIZE], thunks[NATIVE_PATH_SIZE],
        command[NATIVE_PATH_SIZE];
    bool has_stubs, has_thunks; /* or that file is empty, and need not be compiled */
} linking_paths;

/* `executable`: the program is kept, and users may try to run it. */
bool link_names_write(building *, bool executable, linking_paths *);

#endif
