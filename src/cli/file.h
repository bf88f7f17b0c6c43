/* Reads and writes whole files, with messages that say what to do. */
#ifndef HEDDLE_CLI_FILE_H
#define HEDDLE_CLI_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/bytes.h"
#include "base/text.h"

/* Appends the contents of a file, or of standard input for "-". False: see `message`. */
bool file_read(const char *path, text *contents, text *message);

/* The same for one that need not be text. */
bool file_read_bytes(const char *path, bytes *contents, text *message);

/* A hash of its contents; 0 if it cannot be read. */
uint64_t file_hash(const char *path);

bool file_exists(const char *path);

/* The file exists, can be opened, and is not a directory. */
bool file_check(const char *path, text *message);

/* Whether a report may be written there: there is no file and the directory is writable, or an
 * empty file, or an earlier report, which begins with `beginning`; or a device or pipe. `kind` is
 * for the message: "a schedule". */
bool file_may_replace(const char *path, const char *beginning, const char *kind, text *message);

/* There is no file, or one that can be replaced: not a device or pipe. */
bool file_is_ordinary(const char *path, text *message);

bool file_write(const char *path, const char *contents, text *message);

/* A new file replaces the old one when it is complete: readers always find one of them. */
bool file_replace(const char *path, const void *contents, size_t size, text *message);

/* The same in several pieces. */
typedef struct file_draft {
    FILE *stream;
    text path, fresh; /* the file, and the new one that replaces it */
    bool failed;
} file_draft;

void file_draft_open(file_draft *, const char *path);
void file_draft_add(file_draft *, const void *start, size_t size);

/* Of what was added so far. */
uint64_t file_draft_checksum(file_draft *);

/* `wanted`: replaces the file. False: it was not replaced, and `message` says why if it was
 * wanted. */
bool file_draft_close(file_draft *, bool wanted, text *message);

/* The contents of a file without reading it into memory. Unmap it. */
typedef struct file_view {
    const unsigned char *start;
    size_t size;
} file_view;

bool file_map(file_view *, const char *path, text *message);
void file_unmap(file_view *);

/* The current directory; NULL if that is unknown. Changing to another: false if that fails. */
const char *file_directory(void);
bool file_enter_directory(const char *path);

#endif
