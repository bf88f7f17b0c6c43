/* Files that the program reads, and its standard input, which every execution finds unread. Reading
 * takes two steps: the position moves, then the bytes are written where the program wants them.
 *
 * Files that the program changes: system_files.h. */
#ifndef HEDDLE_TARGETS_RUNTIME_LIBC_FILES_H
#define HEDDLE_TARGETS_RUNTIME_LIBC_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "targets/runtime/libc/channels.h"

enum { FILES_MAX = 64, FILES_PUSHED = 4 };

/* What the program takes for a FILE is one of these, by its address. */
typedef struct open_file {
    bool open, closed;    /* closed: of 0, 1 and 2, which are open at first */
    bool stream;          /* a FILE, too */
    bool at_end, failed;  /* of the FILE */
    uint8_t pushed_count; /* by ungetc */
    unsigned char pushed[FILES_PUSHED];
    uint32_t content;
    uint64_t position;
    int system; /* descriptor + 1 of a file that the program may change (system_files.h), or 0 */
    bool writable, unreadable, appends;
    bool sink;              /* /dev/null */
    uint64_t seen;          /* when its content was up to date */
    uint8_t source, target; /* channels + 1 that are read and written (channels.h), or 0 */
    bool does_not_block;
} open_file;

typedef struct open_files {
    mode_t mask; /* of umask, exclusive-or its first value */
    open_file items[FILES_MAX];
    channel channels[CHANNELS_MAX];
} open_files;

/* The file of a stream that can be read, or NULL. */
open_file *files_of_stream(FILE *stream);

/* The file of a descriptor that can be read, or NULL. */
open_file *files_of_descriptor(int descriptor);

/* Files that the program changes, or NULL. */
open_file *files_to_write(int descriptor);
open_file *files_of_output(FILE *stream);

/* An entry for a file. */
open_file *files_new(void);

/* A step: the files may be looked at and changed until the next one. */
void files_step(const void *return_address);

/* Opens one; NULL with errno. */
open_file *files_open(const char *path, int flags, unsigned mode, const void *return_address);

/* Whether it changes the file to open it with these flags. */
bool files_changes(const char *path, int flags);
int files_close(open_file *file);
int files_number(const open_file *file);

/* Takes up to `size` bytes: where they are, and how many. Nothing that ungetc has pushed back. */
const unsigned char *files_take(open_file *file, size_t size, size_t *taken);

#endif
