#define _GNU_SOURCE
/* Descriptors: several of one file, and their flags. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "targets/runtime/kernel/fail.h"
#include "targets/runtime/kernel/location.h"
#include "targets/runtime/kernel/ranges.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/libc/channels.h"
#include "targets/runtime/libc/files.h"
#include "targets/runtime/memory/hidden.h"
#include "targets/runtime/sync/cancel.h"

int files_close(int descriptor, const void *here) {
    cancel_point(location_of(here));
    if (channels_are_used()) {
        if (channels_close(descriptor, here)) {
            return 0;
        }
    } else {
        files_step(here);
    }
    if (descriptor == 1 || descriptor == 2) {
        return 0; /* heddle's own */
    }
    if (!files_at(descriptor)) {
        return fail_with(EBADF);
    }
    open_file *last = files_drop(descriptor);
    if (last) {
        *last = (open_file){.stream = last->stream}; /* whose uses fail */
    }
    return 0;
}

int heddle_close(int descriptor) {
    return files_close(descriptor, HERE);
}

/* ---- more of them ---- */

static void expect_small(int descriptor, const void *here) {
    if (descriptor >= FILES_MAX) {
        heddle_unsupported("a descriptor of 64 or more", here);
    }
}

_Static_assert(FILES_MAX == 64, "the message names it");

/* The least one from `least` on. */
static int duplicate(int descriptor, int least, const void *here) {
    channels_create_step(here);
    open_file *file = files_at(descriptor);
    if (!file) {
        return fail_with(EBADF);
    }
    if (least < 0) {
        return fail_with(EINVAL);
    }
    expect_small(least, here);
    for (int i = least; i < FILES_FIRST; i++) {
        if (!files_at(i)) {
            heddle_unsupported("dup in place of the standard input, output or error", here);
        }
    }
    int fresh = least < FILES_FIRST ? FILES_FIRST : least;
    while (fresh < FILES_MAX && files_at(fresh)) {
        fresh++;
    }
    if (fresh == FILES_MAX) {
        heddle_unsupported("more than 61 files open at a time", here);
    }
    CHECK(fresh >= least && !files_at(fresh));
    files_share(file, fresh);
    return fresh;
}

/* What `to` stood for is closed in the same step. */
static int replace(int descriptor, int to, const void *here) {
    if (to >= 0 && to < FILES_FIRST && to != descriptor) {
        heddle_unsupported("dup2 to the standard input, output or error", here);
    }
    channels_create_step(here);
    open_file *file = files_at(descriptor);
    if (!file || to < 0) {
        return fail_with(EBADF);
    }
    expect_small(to, here);
    if (to != descriptor) {
        if (files_at(to)) {
            channels_drop(runtime.current, to);
        }
        files_share(file, to);
        CHECK(files_at(to) == file && files_at(descriptor) == file);
    }
    return to;
}

int heddle_dup(int descriptor) {
    return duplicate(descriptor, 0, HERE);
}

int heddle_dup2(int descriptor, int to) {
    return replace(descriptor, to, HERE);
}

int heddle_dup3(int descriptor, int to, int flags) {
    return descriptor == to || (flags & ~O_CLOEXEC) ? fail_with(EINVAL)
                                                    : replace(descriptor, to, HERE);
}

/* ---- flags ---- */

static int change_flags(open_file *file, int flags, const void *here) {
    if (flags & ~(O_NONBLOCK | O_ACCMODE | O_APPEND | O_LARGEFILE | O_CLOEXEC)) {
        heddle_unsupported("fcntl, F_SETFL with these flags", here);
    }
    file->does_not_block = flags & O_NONBLOCK;
    return 0;
}

static int access_mode(int descriptor, const open_file *file) {
    bool writes_it = file->target || file->writable || files_output(descriptor);
    bool reads_it = file->source || (!file->target && !file->unreadable);
    return writes_it && reads_it ? O_RDWR : writes_it ? O_WRONLY : O_RDONLY;
}

/* Record locks belong to the process: its threads never wait for each other. */
static int lock_record(int descriptor, const open_file *file, int command, struct flock *lock,
                       const void *here) {
    int mode = access_mode(descriptor, file);
    if (command == F_GETLK) {
        writes(&lock->l_type, sizeof lock->l_type, here);
        lock->l_type = F_UNLCK;
    } else if ((lock->l_type == F_WRLCK && mode == O_RDONLY) ||
               (lock->l_type == F_RDLCK && mode == O_WRONLY)) {
        return fail_with(EBADF);
    }
    return 0;
}

static int set_pipe_size(const open_file *file, long size, const void *here) {
    uint32_t number = file->source ? file->source : file->target, pages = CHANNEL_ATOMIC;
    if (!number || file->socket) {
        return fail_with(EBADF);
    }
    while (pages < CHANNEL_SIZE && pages < size) {
        pages *= 2;
    }
    channel *c = channels_at(number);
    if (size > CHANNEL_SIZE || c->is_event || c->is_epoll) {
        heddle_unsupported("a pipe of more than 65536 bytes", here);
    }
    if (c->count > pages) {
        return fail_with(EBUSY);
    }
    CHECK(c->count <= pages && pages <= CHANNEL_SIZE);
    c->capacity = pages;
    return (int)pages;
}

static int pipe_size(const open_file *file) {
    uint32_t number = file->source ? file->source : file->target;
    return number ? (int)channels_at(number)->capacity : fail_with(EBADF);
}

static bool is_record_lock(int command) {
    return command == F_SETLK || command == F_SETLKW || command == F_GETLK;
}

static int control(int descriptor, int command, long argument, const void *here) {
    if (command == F_DUPFD || command == F_DUPFD_CLOEXEC) {
        return duplicate(descriptor, (int)argument, here);
    }
    if (is_record_lock(command)) {
        reads((const void *)argument, sizeof(struct flock), here);
    }
    if (command == F_SETPIPE_SZ) {
        channels_create_step(here);
    } else {
        files_step(here);
    }
    open_file *file = files_at(descriptor);
    if (!file) {
        return fail_with(EBADF);
    }
    switch (command) {
        case F_GETFD: return FD_CLOEXEC;
        case F_SETFD: return 0; /* nothing is executed */
        case F_GETFL:
            return access_mode(descriptor, file) | (file->does_not_block ? O_NONBLOCK : 0);
        case F_SETFL: return change_flags(file, (int)argument, here);
        case F_GETPIPE_SZ: return pipe_size(file);
        case F_SETPIPE_SZ: return set_pipe_size(file, (int)argument, here);
        case F_SETLK:
        case F_SETLKW:
        case F_GETLK: return lock_record(descriptor, file, command, (struct flock *)argument, here);
        default:
            heddle_unsupported(
                "fcntl other than F_GETFL, F_SETFL, F_GETFD, F_SETFD, F_DUPFD, F_SETPIPE_SZ and "
                "record locks",
                here);
    }
}

#define CONTROLS(name)                                       \
    int heddle_##name(int descriptor, int command, ...) {    \
        va_list list;                                        \
        va_start(list, command);                             \
        long argument = va_arg(list, long);                  \
        va_end(list);                                        \
        return control(descriptor, command, argument, HERE); \
    }

CONTROLS(fcntl)
CONTROLS(fcntl64)
#undef CONTROLS

int heddle_ioctl(int descriptor, unsigned long request, ...) {
    va_list list;
    va_start(list, request);
    const int *argument = va_arg(list, const int *);
    va_end(list);
    if (request == FIONBIO) {
        reads(argument, sizeof *argument, HERE);
    }
    files_step(HERE);
    open_file *file = files_at(descriptor);
    if (!file) {
        return fail_with(EBADF);
    }
    switch (request) {
        case FIONBIO: file->does_not_block = *argument != 0; return 0;
        case FIOCLEX:
        case FIONCLEX: return 0;
        case TCGETS:
        case TIOCGWINSZ: return fail_with(ENOTTY);
        default: heddle_unsupported("ioctl other than FIONBIO, FIOCLEX, FIONCLEX", HERE);
    }
}
