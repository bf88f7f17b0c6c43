/* <sys/uio.h>: several pieces in one read or write, so that no other thread comes in between. More
 * bytes than a pipe takes at once (POSIX: PIPE_BUF) are written piece by piece. */
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "targets/runtime/kernel/fail.h"
#include "targets/runtime/kernel/ranges.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/libc/channel_messages.h"
#include "targets/runtime/libc/channels.h"
#include "targets/runtime/libc/files.h"
#include "targets/runtime/libc/output.h"
#include "targets/runtime/libc/sockets.h"

enum { GATHERED = CHANNEL_ATOMIC, MOST_PIECES = 1024 /* IOV_MAX of Linux */ };

/* The size of all; -1: the list is wrong. */
static ssize_t size_of(const struct iovec *pieces, int count, const void *here) {
    size_t size = 0;
    if (count >= 0 && count <= MOST_PIECES) {
        reads(pieces, (size_t)count * sizeof *pieces, here);
    }
    for (int i = 0; i < count && count <= MOST_PIECES && size <= SSIZE_MAX; i++) {
        size = pieces[i].iov_len <= SSIZE_MAX ? size + pieces[i].iov_len : SIZE_MAX;
    }
    bool wrong = count < 0 || count > MOST_PIECES || size > SSIZE_MAX;
    errno = wrong ? EINVAL : errno;
    return wrong ? -1 : (ssize_t)size;
}

static __attribute__((noinline)) ssize_t write_gathered(int descriptor, const struct iovec *pieces,
                                                        int count, const void *here) {
    unsigned char own[GATHERED];
    size_t size = 0;
    for (int i = 0; i < count; i++) {
        reads(pieces[i].iov_base, pieces[i].iov_len, here);
    }
    for (int i = 0; i < count; i++) {
        size_t room = sizeof own - size; /* the program may have changed the list */
        size_t part = pieces[i].iov_len < room ? pieces[i].iov_len : room;
        memcpy(own + size, pieces[i].iov_base, part);
        size += part;
    }
    return output_write(descriptor, own, size, here);
}

typedef ssize_t move_function(int descriptor, void *data, size_t size, const void *here);

/* One by one, up to the first that is not moved as a whole: a file has ended, a pipe is full. */
static ssize_t move_each(int descriptor, const struct iovec *pieces, int count, move_function *move,
                         const void *here) {
    ssize_t all = 0;
    for (int i = 0; i < count; i++) {
        ssize_t moved = move(descriptor, pieces[i].iov_base, pieces[i].iov_len, here);
        all += moved > 0 ? moved : 0;
        if (moved < 0 || (size_t)moved < pieces[i].iov_len) {
            return all ? all : moved;
        }
    }
    return all;
}

static ssize_t write_piece(int descriptor, void *data, size_t size, const void *here) {
    reads(data, size, here);
    return output_write(descriptor, data, size, here);
}

ssize_t heddle_writev(int descriptor, const struct iovec *pieces, int count) {
    ssize_t size = size_of(pieces, count, HERE);
    return size < 0           ? -1
           : size <= GATHERED ? write_gathered(descriptor, pieces, count, HERE)
                              : move_each(descriptor, pieces, count, write_piece, HERE);
}

static void scatter(const unsigned char *from, size_t left, const struct iovec *pieces,
                    size_t count, const void *here) {
    for (size_t i = 0; i < count && left; i++) {
        size_t part = left < pieces[i].iov_len ? left : pieces[i].iov_len;
        writes(pieces[i].iov_base, part, here);
        memcpy(pieces[i].iov_base, from, part);
        from += part;
        left -= part;
    }
}

static __attribute__((noinline)) ssize_t read_scattered(int descriptor, const struct iovec *pieces,
                                                        int count, size_t size, const void *here) {
    unsigned char own[GATHERED];
    ssize_t taken = files_read(descriptor, own, size < sizeof own ? size : sizeof own, here);
    scatter(own, taken > 0 ? (size_t)taken : 0, pieces, (size_t)count, here);
    return taken;
}

ssize_t heddle_readv(int descriptor, const struct iovec *pieces, int count) {
    ssize_t size = size_of(pieces, count, HERE);
    return size < 0 ? -1
           : size <= GATHERED || channels_is(descriptor)
               ? read_scattered(descriptor, pieces, count, (size_t)size, HERE)
               : move_each(descriptor, pieces, count, files_read, HERE);
}

/* ---- <sys/socket.h> ---- */

static void require_plain(const struct msghdr *message, int flags, const void *here) {
    if (message->msg_controllen || flags & ~(MSG_DONTWAIT | MSG_NOSIGNAL | MSG_CMSG_CLOEXEC)) {
        heddle_unsupported("sendmsg or recvmsg with control data or such flags", here);
    }
}

/* The bytes of the pieces; at most as many as fit. */
static size_t gather(const struct iovec *pieces, size_t count, unsigned char *to, size_t room,
                     const void *here) {
    size_t size = 0;
    for (size_t i = 0; i < count; i++) {
        size_t part = pieces[i].iov_len < room - size ? pieces[i].iov_len : room - size;
        reads(pieces[i].iov_base, part, here);
        memcpy(to + size, pieces[i].iov_base, part);
        size += part;
        CHECK(size <= room);
    }
    return size;
}

ssize_t heddle_sendmsg(int descriptor, const struct msghdr *message, int flags) {
    unsigned char own[CHANNEL_MESSAGE_SIZE] = {0}; /* part of the state of the thread */
    ssize_t result;
    reads(message, sizeof *message, HERE);
    require_plain(message, flags, HERE);
    ssize_t size = size_of(message->msg_iov, (int)message->msg_iovlen, HERE);
    if (size < 0) {
        return fail_with(EMSGSIZE);
    }
    if ((size_t)size > sizeof own) {
        heddle_unsupported("sendmsg of more than 8192 bytes", HERE);
    }
    size_t count = gather(message->msg_iov, message->msg_iovlen, own, sizeof own, HERE);
    if (sockets_is_other(descriptor, HERE)) {
        return fail_with(ENOTSOCK);
    }
    bool known = channels_write(descriptor, own, count, !(flags & MSG_DONTWAIT),
                                !(flags & MSG_NOSIGNAL), &result, HERE);
    return known ? result : sockets_refuse(descriptor);
}

ssize_t heddle_recvmsg(int descriptor, struct msghdr *message, int flags) {
    unsigned char own[CHANNEL_MESSAGE_SIZE] = {0}; /* part of the state of the thread */
    ssize_t taken;
    modifies(message, sizeof *message, HERE);
    struct msghdr room = *message;
    room.msg_controllen = 0; /* none comes */
    require_plain(&room, flags, HERE);
    ssize_t size = size_of(room.msg_iov, (int)room.msg_iovlen, HERE);
    if (size < 0) {
        return fail_with(EMSGSIZE);
    }
    size_t most = (size_t)size < sizeof own ? (size_t)size : sizeof own;
    if (sockets_is_other(descriptor, HERE)) {
        return fail_with(ENOTSOCK);
    }
    if (!channels_read(descriptor, own, most, !(flags & MSG_DONTWAIT), &taken, HERE)) {
        return sockets_refuse(descriptor);
    }
    scatter(own, taken > 0 ? (size_t)taken : 0, room.msg_iov, room.msg_iovlen, HERE);
    message->msg_namelen = 0;
    message->msg_controllen = 0;
    message->msg_flags = 0;
    return taken;
}
