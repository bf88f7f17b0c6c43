/* Files that a program may really change, in every execution (--allow-files). They are open in the
 * system; their positions are heddle's (files.h), so that they belong to the execution. What the
 * program reads of them is what they hold at that time.
 *
 * Without the option every function that would change a file is refused when it is called. */
#ifndef HEDDLE_TARGETS_RUNTIME_LIBC_SYSTEM_FILES_H
#define HEDDLE_TARGETS_RUNTIME_LIBC_SYSTEM_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "targets/runtime/libc/files.h"

/* Whether the program may change files, and so sees them as they are. */
bool system_files_allowed(void);

/* To be called by a function that changes files: an error that names it, unless that is allowed. */
void system_files_permit(const char *function, const void *return_address);

/* To be called after that: a step, until whose end files may be changed. */
void system_files_change(const void *return_address);

/* Has the program changed any? */
bool system_files_changed(void);

/* Opens a file for `file`; 0, or -1 with errno. */
int system_files_open(open_file *file, const char *path, int flags, unsigned mode);

/* A descriptor of the system's becomes one of the program's; -1 stays -1. */
int system_files_adopt(int system);

/* The system's descriptor of the program's, or -1 with errno. */
int system_files_descriptor(int descriptor);

/* The directory that a path is relative to: there is only the current one. */
int system_files_directory(int descriptor);

/* What the file holds is looked at: file->content is up to date until the next step. */
void system_files_refresh(open_file *file);

/* Writes at the position, or at *offset; how many bytes, or -1 with errno. */
int64_t system_files_write(open_file *file, const void *data, size_t size, const int64_t *offset);

/* Closes all. */
void system_files_reset(void);
void system_files_close(void);

#endif
