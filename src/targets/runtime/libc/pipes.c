#define _GNU_SOURCE
/* Functions that create and use channels (channels.h). */
#include <errno.h>
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "targets/runtime/kernel/fail.h"
#include "targets/runtime/kernel/ranges.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/libc/channels.h"
#include "targets/runtime/libc/files.h"
#include "targets/runtime/libc/sockets.h"
#include "targets/runtime/memory/hidden.h"

static open_file *add_file(uint32_t source, uint32_t target, bool does_not_block) {
    open_file *file = files_new();
    if (file) {
        file->source = (uint8_t)source;
        file->target = (uint8_t)target;
        file->does_not_block = does_not_block;
    }
    return file;
}

static int give_two(int *place, const open_file *first, const open_file *second, const void *here) {
    if (!first || !second) {
        heddle_unsupported("more than 64 open files or 16 pipes", here);
    }
    writes(place, 2 * sizeof *place, here);
    place[0] = files_number(first);
    place[1] = files_number(second);
    return 0;
}

/* ---- creating ---- */

static int create_pipe(int *ends, int flags, const void *here) {
    channels_create_step(here);
    uint32_t number = channels_new(false);
    const open_file *reads_it = number ? add_file(number, 0, flags & O_NONBLOCK) : NULL;
    const open_file *writes_it = reads_it ? add_file(0, number, flags & O_NONBLOCK) : NULL;
    return give_two(ends, reads_it, writes_it, here);
}

int heddle_pipe(int ends[2]) {
    return create_pipe(ends, 0, HERE);
}

int heddle_pipe2(int ends[2], int flags) {
    return create_pipe(ends, flags, HERE);
}

int heddle_socketpair(int family, int type, int protocol, int ends[2]) {
    (void)protocol;
    int kind = type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (family != AF_UNIX || (kind != SOCK_STREAM && kind != SOCK_SEQPACKET)) {
        heddle_unsupported("socketpair other than AF_UNIX, SOCK_STREAM or SOCK_SEQPACKET", HERE);
    }
    channels_create_step(HERE);
    uint32_t one = channels_new(false), other = one ? channels_new(false) : 0;
    bool does_not_block = type & SOCK_NONBLOCK;
    open_file *first = other ? add_file(one, other, does_not_block) : NULL;
    open_file *second = first ? add_file(other, one, does_not_block) : NULL;
    if (second) {
        first->socket = second->socket = true;
        channels_at(one)->has_messages = channels_at(other)->has_messages = kind == SOCK_SEQPACKET;
    }
    return give_two(ends, first, second, HERE);
}

int heddle_eventfd(unsigned value, int flags) {
    channels_create_step(HERE);
    uint32_t number = channels_new(true);
    const open_file *file = number ? add_file(number, number, flags & EFD_NONBLOCK) : NULL;
    if (!file) {
        heddle_unsupported("more than 64 open files or 16 pipes", HERE);
    }
    channel *c = &files_table()->channels[number - 1];
    c->value = value;
    c->count = value ? sizeof c->value : 0;
    c->counts_down = flags & EFD_SEMAPHORE;
    return files_number(file);
}

/* ---- using ---- */

int heddle_eventfd_read(int descriptor, eventfd_t *value) {
    ssize_t result;
    bool known = channels_read(descriptor, value, sizeof *value, true, &result, HERE);
    return known && result == sizeof *value ? 0 : known ? -1 : fail_with(EBADF);
}

int heddle_eventfd_write(int descriptor, eventfd_t value) {
    ssize_t result;
    bool known = channels_write(descriptor, &value, sizeof value, true, false, &result, HERE);
    return known && result == sizeof value ? 0 : known ? -1 : fail_with(EBADF);
}

ssize_t heddle_recv(int descriptor, void *place, size_t size, int flags) {
    ssize_t result;
    size_t done = 0;
    bool waits = !(flags & MSG_DONTWAIT), waits_for_all = waits && flags & MSG_WAITALL;
    if (flags & ~(MSG_DONTWAIT | MSG_NOSIGNAL | MSG_WAITALL)) {
        heddle_unsupported("recv with these flags", HERE);
    }
    if (sockets_is_other(descriptor, HERE)) {
        return fail_with(ENOTSOCK);
    }
    do {
        if (!channels_read(descriptor, (char *)place + done, size - done, waits, &result, HERE)) {
            return sockets_refuse(descriptor);
        }
        done += result > 0 ? (size_t)result : 0;
    } while (waits_for_all && result > 0 && done < size);
    return done ? (ssize_t)done : result;
}

ssize_t heddle_send(int descriptor, const void *data, size_t size, int flags) {
    ssize_t result;
    if (flags & ~(MSG_DONTWAIT | MSG_NOSIGNAL)) {
        heddle_unsupported("send with these flags", HERE);
    }
    if (sockets_is_other(descriptor, HERE)) {
        return fail_with(ENOTSOCK);
    }
    reads(data, size, HERE);
    bool known = channels_write(descriptor, data, size, !(flags & MSG_DONTWAIT),
                                !(flags & MSG_NOSIGNAL), &result, HERE);
    return known ? result : sockets_refuse(descriptor);
}

int heddle_shutdown(int descriptor, int how) {
    channels_create_step(HERE);
    open_file *file = files_at(descriptor);
    if (!file || !file->open) {
        return fail_with(EBADF);
    }
    if (how != SHUT_RD && how != SHUT_WR && how != SHUT_RDWR) {
        return fail_with(EINVAL);
    }
    sockets_refuse_datagram(file, HERE);
    if (!file->socket || (!file->source && !file->target)) {
        return fail_with(file->socket ? ENOTCONN : ENOTSOCK);
    }
    if (!channels_at(file->source)->is_listener) {
        channels_shut(runtime.current, file, how != SHUT_WR, how != SHUT_RD);
    } else if (how != SHUT_WR) {
        channels_leave(runtime.current, file);
    }
    return 0;
}
