#define _GNU_SOURCE
#include "targets/runtime/libc/sockets.h"

#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "targets/runtime/kernel/fail.h"
#include "targets/runtime/kernel/ranges.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/libc/channels.h"
#include "targets/runtime/libc/files.h"
#include "targets/runtime/memory/hidden.h"

enum { FIRST_PORT = 32768, MOST_WAITING = 128, BUFFER_SIZE = 65536 };

/* A connection that waits to be accepted. */
typedef struct connection {
    uint32_t source, target;
    uint64_t receive_ns, send_ns;
} connection;
_Static_assert(sizeof(connection) == 24, "no bytes without a value");

int sockets_refuse(int descriptor) {
    return fail_with(files_at(descriptor) ? ENOTSOCK : EBADF);
}

static open_file *socket_at(int descriptor) {
    open_file *file = files_at(descriptor);
    if (file && file->open && file->socket) {
        return file;
    }
    sockets_refuse(descriptor);
    return NULL;
}

void sockets_refuse_datagram(const open_file *file, const void *here) {
    if (file && file->datagram) {
        CHECK(file->socket && !file->source && !file->target);
        heddle_unsupported("using a datagram socket", here);
    }
}

static bool is_other_channel(int descriptor) {
    const open_file *file = channels_file(descriptor);
    return file && !file->socket;
}

bool sockets_is_other(int descriptor, const void *here) {
    if (!is_other_channel(descriptor)) {
        return false;
    }
    files_step(here);
    return is_other_channel(descriptor);
}

static open_file *stream_at(int descriptor, const void *here) {
    open_file *file = socket_at(descriptor);
    sockets_refuse_datagram(file, here);
    return file;
}

/* ---- addresses ---- */

static bool is_valid(const socket_name *n) {
    CHECK(n->item < FILES_MAX && n->size <= SOCKET_NAME_SIZE);
    const open_file *file = &files_table()->items[n->item];
    return n->size && file->open && file->name == n - files_table()->socket_names + 1;
}

static in_port_t *port_in(unsigned char *address) {
    sa_family_t family;
    memcpy(&family, address, sizeof family);
    return family == AF_UNIX ? NULL : (in_port_t *)(address + sizeof family);
}

/* Every address of this machine is the same one: the port decides. */
static bool is_same(const socket_name *n, unsigned char *address, size_t size) {
    const in_port_t *one = port_in((unsigned char *)n->address), *other = port_in(address);
    return one && other ? *one == *other
                        : n->size == size && memcmp(n->address, address, size) == 0;
}

static socket_name *find(unsigned char *address, size_t size) {
    for (uint32_t i = 0; i < SOCKET_NAMES; i++) {
        socket_name *n = &files_table()->socket_names[i];
        if (is_valid(n) && is_same(n, address, size)) {
            return n;
        }
    }
    return NULL;
}

/* A copy with zeroes at its end. False: it is no address of the family. */
static bool take_address(const void *address, socklen_t size, unsigned char *own,
                         const void *here) {
    memset(own, 0, SOCKET_NAME_SIZE);
    if (size <= sizeof(sa_family_t) || size > SOCKET_NAME_SIZE) {
        return false;
    }
    reads(address, size, here);
    memcpy(own, address, size);
    return true;
}

static size_t size_of(const unsigned char *own, socklen_t size) {
    sa_family_t family;
    memcpy(&family, own, sizeof family);
    size_t path = strnlen((const char *)own + sizeof family, SOCKET_NAME_SIZE - sizeof family);
    return family == AF_UNIX && path ? sizeof family + path : size;
}

static int set_name(open_file *file, unsigned char *own, size_t size, const void *here) {
    in_port_t *port = port_in(own);
    CHECK(size <= SOCKET_NAME_SIZE && file->socket);
    if (file->name) {
        return fail_with(EINVAL);
    }
    for (uint32_t i = 0; i < SOCKET_NAMES; i++) {
        socket_name *n = &files_table()->socket_names[i];
        if (is_valid(n)) {
            continue;
        }
        if (port && !*port) {
            *port = htons((uint16_t)(FIRST_PORT + i));
        }
        if (find(own, size)) {
            return fail_with(EADDRINUSE);
        }
        *n = (socket_name){.item = (uint8_t)(file - files_table()->items), .size = (uint8_t)size};
        memcpy(n->address, own, SOCKET_NAME_SIZE);
        file->name = (uint8_t)(i + 1);
        CHECK(is_valid(n));
        return 0;
    }
    heddle_unsupported("more than 16 sockets with addresses", here);
}

/* The part of an address that the program has room for. */
static int give_address(const unsigned char *address, size_t length, void *place, socklen_t *size,
                        const void *here) {
    if (place && size) {
        modifies(size, sizeof *size, here);
        size_t part = *size < length ? *size : length;
        writes(place, part, here);
        memcpy(place, address, part);
        *size = (socklen_t)length;
    }
    return 0;
}

static int give_name(const open_file *file, void *place, socklen_t *size, const void *here) {
    unsigned char unnamed[SOCKET_NAME_SIZE] = {0};
    const socket_name *n = file->name ? &files_table()->socket_names[file->name - 1] : NULL;
    sa_family_t family = file->family ? file->family : AF_UNIX;
    size_t length = family == AF_INET    ? sizeof(struct sockaddr_in)
                    : family == AF_INET6 ? sizeof(struct sockaddr_in6)
                                         : sizeof family;
    memcpy(unnamed, &family, sizeof family);
    return give_address(n ? n->address : unnamed, n ? n->size : length, place, size, here);
}

/* ---- creating ---- */

int heddle_socket(int family, int type, int protocol) {
    int kind = type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC);
    (void)protocol;
    if ((family != AF_UNIX && family != AF_INET && family != AF_INET6) ||
        (kind != SOCK_STREAM && kind != SOCK_DGRAM)) {
        heddle_unsupported("socket other than SOCK_STREAM of AF_UNIX, AF_INET, AF_INET6", HERE);
    }
    files_step(HERE);
    open_file *file = files_new();
    if (!file) {
        heddle_unsupported("more than 61 files open at a time", HERE);
    }
    file->socket = true;
    file->datagram = kind == SOCK_DGRAM;
    file->family = (uint8_t)family;
    file->does_not_block = type & SOCK_NONBLOCK;
    return files_number(file);
}

int heddle_bind(int descriptor, const void *address, socklen_t size) {
    unsigned char own[SOCKET_NAME_SIZE];
    bool good = take_address(address, size, own, HERE);
    files_step(HERE);
    open_file *file = stream_at(descriptor, HERE);
    return !file ? -1 : !good ? fail_with(EINVAL) : set_name(file, own, size_of(own, size), HERE);
}

int heddle_listen(int descriptor, int backlog) {
    (void)backlog;
    channels_create_step(HERE);
    open_file *file = stream_at(descriptor, HERE);
    if (!file || file->source) {
        return !file ? -1 : channels_at(file->source)->is_listener ? 0 : fail_with(EINVAL);
    }
    if (!file->name && file->family == AF_UNIX) {
        return fail_with(EINVAL);
    }
    if (!file->name) {
        unsigned char own[SOCKET_NAME_SIZE] = {file->family};
        set_name(file, own, sizeof(struct sockaddr_in), HERE);
    }
    uint32_t number = channels_new(false);
    if (!number) {
        heddle_unsupported("more than 16 pipes or connections", HERE);
    }
    CHECK(file->name && !channels_at(number)->count);
    channels_at(number)->is_listener = true;
    file->source = (uint8_t)number;
    return 0;
}

/* ---- connecting ---- */

static int join(open_file *client, const open_file *server, const void *here) {
    channel *queue = channels_at(server->source);
    CHECK(queue->is_listener && !client->source && !client->target);
    uint32_t there = channels_new(false), back = there ? channels_new(false) : 0;
    if (!back) {
        heddle_unsupported("more than 16 pipes or connections", here);
    }
    bool inherits = server->family != AF_UNIX; /* Linux copies the socket that listens */
    connection fresh = {.source = there,
                        .target = back,
                        .receive_ns = inherits ? server->receive_ns : 0,
                        .send_ns = inherits ? server->send_ns : 0};
    client->source = (uint8_t)back;
    client->target = (uint8_t)there;
    queue->clock = race_release_row(runtime.current, queue->clock);
    channels_put(queue, &fresh, sizeof fresh);
    return client->does_not_block && client->family != AF_UNIX ? fail_with(EINPROGRESS) : 0;
}

int heddle_connect(int descriptor, const void *address, socklen_t size) {
    unsigned char own[SOCKET_NAME_SIZE];
    bool good = take_address(address, size, own, HERE);
    channels_create_step(HERE);
    open_file *file = stream_at(descriptor, HERE);
    if (!file || !good || file->source || file->target) {
        return !file ? -1 : fail_with(good ? EISCONN : EINVAL);
    }
    const socket_name *n = find(own, size_of(own, size));
    if (!n) {
        return fail_with(file->family == AF_UNIX ? ENOENT : ECONNREFUSED);
    }
    const open_file *server = &files_table()->items[n->item];
    const channel *queue = server->source ? channels_at(server->source) : NULL;
    if (!queue || !queue->is_listener) {
        return fail_with(ECONNREFUSED);
    }
    if (queue->count >= MOST_WAITING * sizeof(connection)) {
        heddle_unsupported("more than 128 connections that wait to be accepted", HERE);
    }
    return join(file, server, HERE);
}

static int accept_one(int descriptor, void *place, socklen_t *size, int flags, const void *here) {
    connection taken = {0};
    channel_wait wait = {.waits = true, .accepts = true};
    ssize_t result;
    bool known = channels_receive(descriptor, &taken, sizeof taken, wait, &result, here);
    if (!known || result != sizeof taken) {
        bool empty = known && errno == EAGAIN;
        return !socket_at(descriptor) ? -1
                                      : fail_with(empty ? EAGAIN : EINVAL); /* not, no longer */
    }
    open_file *fresh = channels_open(taken.source, taken.target, here);
    CHECK(channels_at(taken.source)->readers == 1 && channels_at(taken.target)->writers == 1);
    fresh->socket = true;
    fresh->does_not_block = flags & SOCK_NONBLOCK;
    fresh->receive_ns = taken.receive_ns;
    fresh->send_ns = taken.send_ns;
    const open_file *listener = files_at(descriptor);
    fresh->family = listener ? listener->family : AF_UNIX;
    give_name(fresh, place, size, here);
    return files_number(fresh);
}

int heddle_accept(int descriptor, void *place, socklen_t *size) {
    return accept_one(descriptor, place, size, 0, HERE);
}

int heddle_accept4(int descriptor, void *place, socklen_t *size, int flags) {
    return accept_one(descriptor, place, size, flags, HERE);
}

void sockets_forget(runtime_thread *t, const open_file *file) {
    channel *queue = file->source ? channels_at(file->source) : NULL;
    while (queue && queue->is_listener && queue->count) {
        connection left;
        channels_take(queue, &left, sizeof left);
        CHECK(left.source && left.target && left.source != left.target);
        open_file end = {.source = (uint8_t)left.source, .target = (uint8_t)left.target};
        channels_leave(t, &end);
    }
}

/* ---- names and options ---- */

int heddle_getsockname(int descriptor, void *place, socklen_t *size) {
    files_step(HERE);
    const open_file *file = stream_at(descriptor, HERE);
    return file ? give_name(file, place, size, HERE) : -1;
}

int heddle_getpeername(int descriptor, void *place, socklen_t *size) {
    files_step(HERE);
    const open_file *file = stream_at(descriptor, HERE);
    if (file && !file->source && !file->target) {
        return fail_with(ENOTCONN);
    }
    return file ? give_name(&(open_file){.family = file->family}, place, size, HERE) : -1;
}

enum { SECOND_NS = 1000000000, MICROSECOND_NS = 1000 };

static int set_time(open_file *file, bool is_read, const struct timeval *time, size_t size,
                    const void *here) {
    CHECK(file->socket);
    if (size < sizeof *time) {
        return fail_with(EINVAL);
    }
    if (time->tv_usec < 0 || time->tv_usec >= SECOND_NS / MICROSECOND_NS) {
        return fail_with(EDOM);
    }
    if (time->tv_sec < 0 || time->tv_sec > INT32_MAX) {
        heddle_unsupported("a time-out of a socket of less than 0 or more than 2^31 seconds", here);
    }
    uint64_t span = (uint64_t)time->tv_sec * SECOND_NS + (uint64_t)time->tv_usec * MICROSECOND_NS;
    *(is_read ? &file->receive_ns : &file->send_ns) = span;
    return 0;
}

static struct timeval time_of(uint64_t span) {
    return (struct timeval){.tv_sec = (time_t)(span / SECOND_NS),
                            .tv_usec = (suseconds_t)(span % SECOND_NS / MICROSECOND_NS)};
}

/* Threads of one process would notice nothing of the others. */
int heddle_setsockopt(int descriptor, int level, int option, const void *value, socklen_t size) {
    bool is_time = level == SOL_SOCKET && (option == SO_RCVTIMEO || option == SO_SNDTIMEO);
    struct timeval time = {0};
    reads(value, size, HERE);
    memcpy(&time, value, is_time && size >= sizeof time ? sizeof time : 0);
    files_step(HERE);
    open_file *file = socket_at(descriptor);
    return !file ? -1 : is_time ? set_time(file, option == SO_RCVTIMEO, &time, size, HERE) : 0;
}

static bool is_local(const open_file *file) {
    return !file->family || file->family == AF_UNIX;
}

/* The other end is a thread of this program, too. */
static struct ucred peer_of(const open_file *file) {
    if (!is_local(file) || (!file->source && !file->target)) {
        return (struct ucred){.uid = (uid_t)-1, .gid = (gid_t)-1};
    }
    CHECK(file->socket && !file->datagram);
    return (struct ucred){.pid = heddle_getpid(), .uid = getuid(), .gid = getgid()};
}

static int option_of(const open_file *file, int option, const void *here) {
    switch (option) {
        case SO_ERROR:
            if (file->source && channels_at(file->source)->was_reset) {
                heddle_unsupported("SO_ERROR of a connection that was reset", here);
            }
            return 0;
        case SO_TYPE:
            return file->datagram                                            ? SOCK_DGRAM
                   : file->source && channels_at(file->source)->has_messages ? SOCK_SEQPACKET
                                                                             : SOCK_STREAM;
        case SO_DOMAIN: return file->family ? file->family : AF_UNIX;
        case SO_ACCEPTCONN: return file->source && channels_at(file->source)->is_listener;
        case SO_PASSCRED: return 0;
        case SO_PROTOCOL: return is_local(file) ? 0 : file->datagram ? IPPROTO_UDP : IPPROTO_TCP;
        case SO_SNDBUF:
        case SO_RCVBUF: return BUFFER_SIZE;
        default: heddle_unsupported("getsockopt with this option", here);
    }
}

int heddle_getsockopt(int descriptor, int level, int option, void *value, socklen_t *size) {
    files_step(HERE);
    const open_file *file = socket_at(descriptor);
    if (!file) {
        return -1;
    }
    if (level != SOL_SOCKET) {
        heddle_unsupported("getsockopt with this option", HERE);
    }
    if (option == SO_RCVTIMEO || option == SO_SNDTIMEO) {
        struct timeval time = time_of(option == SO_RCVTIMEO ? file->receive_ns : file->send_ns);
        return give_address((const unsigned char *)&time, sizeof time, value, size, HERE);
    }
    if (option == SO_PEERCRED) {
        struct ucred peer = peer_of(file);
        return give_address((const unsigned char *)&peer, sizeof peer, value, size, HERE);
    }
    int found = option_of(file, option, HERE);
    return give_address((const unsigned char *)&found, sizeof found, value, size, HERE);
}

/* ---- transfers ---- */

ssize_t heddle_sendto(int descriptor, const void *data, size_t size, int flags, const void *address,
                      socklen_t length) {
    (void)address, (void)length; /* a stream is connected */
    return heddle_send(descriptor, data, size, flags);
}

ssize_t heddle_recvfrom(int descriptor, void *place, size_t size, int flags, void *address,
                        socklen_t *length) {
    if (address && length) {
        writes(length, sizeof *length, HERE);
        *length = 0;
    }
    return heddle_recv(descriptor, place, size, flags);
}
