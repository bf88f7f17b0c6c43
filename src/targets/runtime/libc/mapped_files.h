/* Files that are mapped while the program may change files (--allow-files). A mapping is a copy of
 * the file (mapping.c): a later change of these bytes would have to show in it, and is refused. */
#ifndef HEDDLE_TARGETS_RUNTIME_LIBC_MAPPED_FILES_H
#define HEDDLE_TARGETS_RUNTIME_LIBC_MAPPED_FILES_H

#include <stddef.h>
#include <stdint.h>

#include "targets/runtime/libc/files.h"

/* These bytes of the file, from `offset`, are mapped at `low`. */
void mapped_files_note(const open_file *file, uintptr_t low, size_t size, int64_t offset);

/* To be called when a file may have changed, in the step that did it. */
void mapped_files_check(void);

void mapped_files_reset(void);
void mapped_files_close(void);

#endif
