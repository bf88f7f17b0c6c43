/* Files that the program reads, and its standard input, which every execution finds unread. Reading
 * takes two steps: the position moves, then the bytes are written where the program wants them.
 *
 * Writing files is unsupported: heddle runs the program many times. */
#ifndef HEDDLE_RUNTIME_FILES_H
#define HEDDLE_RUNTIME_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

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
} open_file;

typedef struct open_files {
    mode_t mask; /* of umask, exclusive-or its first value */
    open_file items[FILES_MAX];
} open_files;

/* The file behind a stream that can be read, or NULL. */
open_file *files_of_stream(FILE *stream);

/* The file of a descriptor that can be read, or NULL. */
open_file *files_of_descriptor(int descriptor);

/* A step: the files may be looked at and changed until the next one. */
void files_step(const void *return_address);

/* Opens one; NULL with errno. */
open_file *files_open(const char *path, const void *return_address);
int files_close(open_file *file);
int files_number(const open_file *file);

/* Takes up to `size` bytes: where they are, and how many. Nothing that ungetc has pushed back. */
const unsigned char *files_take(open_file *file, size_t size, size_t *taken);

#endif
