/* Contents of files that the program reads: read once, and then the same for the whole exploration,
 * even if the files change. So is the absence of a file. */
#ifndef HEDDLE_TARGETS_RUNTIME_LIBC_CONTENTS_H
#define HEDDLE_TARGETS_RUNTIME_LIBC_CONTENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

typedef struct file_content {
    char *path;              /* "" is the standard input */
    bool now;                /* of a file that the program changes, at some time */
    bool directory;          /* its data are directory entries, by their names */
    int error;               /* errno of the attempt to open it; 0: there it is */
    const char *unsupported; /* why heddle does not read it, or NULL */
    unsigned char *data;     /* with a zero after it */
    size_t size, capacity;
    struct stat status;
} file_content;

/* Numbers starting at 1; they outlive executions. */
uint32_t contents_of(const char *path);
uint32_t contents_of_input(void);
const file_content *contents_at(uint32_t number);
uint32_t contents_count(void);

/* What a file of the system's holds now. Equal contents have one number. */
uint32_t contents_now(int descriptor);

/* A content of before, or nothing for 0, with these bytes at that position. */
uint32_t contents_edit(uint32_t number, uint64_t position, const void *data, size_t size);

/* The entries of a directory: as they were when it was first wanted, or as they are now. */
uint32_t contents_of_directory(const char *path, bool now);

void contents_close(void);

#endif
