/* Files that the program reads, and its standard input, which every execution finds unread. Reading
 * takes two steps: the position moves, then the bytes are written where the program wants them.
 *
 * Several descriptors may refer to one file, as in POSIX: they share its position and flags.
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
#include "targets/runtime/memory/hidden.h"

enum {
    FILES_MAX = 64,
    FILES_PUSHED = 4,
    FILES_FIRST = 3,
    FILES_CLOSED = 255,
    QUEUE_NAME_SIZE = 48,
    SOCKET_NAMES = 16,
    SOCKET_NAME_SIZE = 110 /* struct sockaddr_un */

};

/* What the program takes for a FILE is one of these, by its address. */
typedef struct open_file {
    bool open;
    uint8_t descriptors;  /* that refer to it */
    uint8_t stream;       /* it is a FILE, too, of this descriptor + 1 */
    bool at_end, failed;  /* of the FILE */
    uint8_t pushed_count; /* by ungetc */
    unsigned char pushed[FILES_PUSHED];
    uint32_t content;
    uint64_t position;
    int system; /* descriptor + 1 of a file that the program may change (system_files.h), or 0 */
    bool writable, unreadable, appends;
    bool sink;              /* /dev/null */
    bool memory;            /* memory_streams.h */
    uint64_t seen;          /* when its content was up to date */
    uint8_t source, target; /* channels + 1 that are read and written (channels.h), or 0 */
    bool does_not_block;
    uint64_t receive_ns, send_ns; /* of SO_RCVTIMEO and SO_SNDTIMEO; 0: without end */
    bool socket;                  /* which stays one when both directions are shut */
    bool datagram;                /* a socket that may be made, but not used */
    uint8_t family, name;         /* of a socket that was not made in a pair; its name + 1, or 0 */
} open_file;

/* A file that an epoll watches. */
typedef struct epoll_interest {
    uint8_t epoll; /* channel + 1; 0: this one is free */
    uint8_t item, descriptor;
    bool spent; /* of EPOLLONESHOT: it was reported */
    uint32_t events, arrivals, leavings;
    uint64_t data;
} epoll_interest;

/* The address of a socket; as long as the file refers to it. */
typedef struct socket_name {
    uint8_t item, size;
    unsigned char address[SOCKET_NAME_SIZE];
} socket_name;

typedef struct open_files {
    mode_t mask; /* of umask, exclusive-or its first value */

    /* Of descriptors: item + 1. 0: not open; but 0, 1 and 2 are items 0, 1 and 2 then, which are
     * open at first, until FILES_CLOSED. */
    uint8_t numbers[FILES_MAX];
    uint64_t closed; /* descriptors that were open before, a bit for each */
    open_file items[FILES_MAX];
    channel channels[CHANNELS_MAX];
    epoll_interest interests[FILES_MAX];
    char queue_names[CHANNELS_MAX][QUEUE_NAME_SIZE]; /* of channels that are message queues */
    socket_name socket_names[SOCKET_NAMES];
} open_files;

static inline open_files *files_table(void) {
    return hidden_data(HIDDEN_FILES);
}

/* The file of a stream that can be read, or NULL. */
open_file *files_of_stream(FILE *stream);

/* The file of a descriptor that can be read, or NULL. */
open_file *files_of_descriptor(int descriptor);

/* Files that the program changes, or NULL. */
open_file *files_to_write(int descriptor);
open_file *files_of_output(FILE *stream);

/* Part of a step: what was to be written to the stream was not. */
void files_note_failure(FILE *stream);

/* The file of a descriptor, whatever it is; NULL if it is not open. Those of 1 and 2, which are
 * heddle's own, and of 0 before it is read, are not `open`. */
open_file *files_at(int descriptor);

/* 1 or 2 if the descriptor refers to the standard output or error, else 0. */
int files_output(int descriptor);

/* An entry for a file, with a descriptor. */
open_file *files_new(void);

/* One more descriptor of the file: this one, which is not open. */
void files_share(open_file *file, int descriptor);

/* Closes the descriptor. Returns the file if no other descriptor refers to it, else NULL. */
open_file *files_drop(int descriptor);

/* A step: the files may be read and changed until the next one. */
void files_step(const void *return_address);

/* As read does. */
ssize_t files_read(int descriptor, void *place, size_t size, const void *return_address);

/* As open and close do; `name` is what the program has called. */
int files_open_path(const char *name, const char *path, int flags, unsigned mode,
                    const void *return_address);
int files_close(int descriptor, const void *return_address);

/* Opens one; NULL with errno. */
open_file *files_open(const char *path, int flags, unsigned mode, const void *return_address);

/* Whether it changes the file to open it with these flags. */
bool files_changes(const char *path, int flags);
int files_number(const open_file *file);

/* Takes up to `size` bytes: where they are, and how many. Nothing that ungetc has pushed back. */
const unsigned char *files_take(open_file *file, size_t size, size_t *taken);

#endif
