#include "supervise/channel.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* As high as the limit allows, but not so high that the kernel needs a large table. */
static int high_descriptor(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur > 1 << 10) {
        return (1 << 10) - 8;
    }
    return limit.rlim_cur > 64 ? (int)limit.rlim_cur - 8 : 3;
}

static int move(int descriptor, struct stat *s) {
    int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, high_descriptor());
    if (moved >= 0) {
        close(descriptor);
        descriptor = moved;
    }
    fstat(descriptor, s);
    return descriptor;
}

void channel_open(channel *c, int descriptor, int commands, pid_t supervisor) {
    struct stat s = {0}, of_commands = {0};
    *c = (channel){.descriptor = move(descriptor, &s), .process = getpid(), .commands = -1};
    c->device = s.st_dev;
    c->inode = s.st_ino;
    if (commands >= 0) {
        c->commands = move(commands, &of_commands);
        c->command_device = of_commands.st_dev;
        c->command_inode = of_commands.st_ino;
        c->inbox.process = (uint32_t)supervisor;
    }
}

static bool is_same(int descriptor, dev_t device, ino_t inode, mode_t type) {
    struct stat s;
    return fstat(descriptor, &s) == 0 && (s.st_mode & S_IFMT) == type && s.st_dev == device &&
           s.st_ino == inode;
}

static bool is_intact(const channel *c) {
    return syscall(SYS_getpid) == c->process &&
           is_same(c->descriptor, c->device, c->inode, S_IFIFO);
}

static bool write_all(int descriptor, const void *start, size_t size) {
    const char *at = start;
    while (size) {
        ssize_t written = write(descriptor, at, size);
        if (written < 0 && errno != EINTR) {
            return false;
        }
        at += written > 0 ? written : 0;
        size -= written > 0 ? (size_t)written : 0;
    }
    return true;
}

void channel_send(channel *c, enum message_type type, const bytes *content) {
    frame f = frame_make(type, (uint32_t)c->process, c->sequence++, content);
    if (!is_intact(c) || !write_all(c->descriptor, &f, sizeof f) ||
        !write_all(c->descriptor, content->content.items, content->content.count)) {
        _exit(CHANNEL_LOST);
    }
}

void channel_send_text(channel *c, enum message_type type, const char *string) {
    bytes content = {0};
    bytes_put_string(&content, string);
    channel_send(c, type, &content);
    bytes_free(&content);
}

/* Reads what is available; false if there is nothing and the caller does not wait. */
static bool read_commands(channel *c, bool waits) {
    static unsigned char buffer[1 << 16];
    ssize_t count;
    do {
        if (!is_same(c->commands, c->command_device, c->command_inode, S_IFSOCK)) {
            _exit(CHANNEL_LOST);
        }
        count = recv(c->commands, buffer, sizeof buffer, waits ? 0 : MSG_DONTWAIT);
    } while (count < 0 && errno == EINTR);
    if (count < 0 && errno == EAGAIN) {
        return false;
    }
    if (count <= 0) {
        _exit(CHANNEL_LOST);
    }
    inbox_add(&c->inbox, buffer, (size_t)count);
    return true;
}

/* The oldest message that was kept. */
static bool take_kept(channel *c, enum message_type *type, byte_reader *content) {
    if (!c->kept.count) {
        return false;
    }
    bytes_free(&c->content);
    *type = vector_at(&c->kept, 0).type;
    c->content = vector_at(&c->kept, 0).content;
    vector_remove(&c->kept, 0, 1);
    *content = byte_reader_of(c->content.content.items, c->content.content.count);
    return true;
}

static bool receive(channel *c, bool waits, enum message_type *type, byte_reader *content) {
    while (!inbox_take(&c->inbox, type, content)) {
        if (c->inbox.broken) {
            _exit(CHANNEL_LOST);
        }
        if (c->commands < 0 || !read_commands(c, waits)) {
            return false;
        }
    }
    return true;
}

bool channel_receive(channel *c, bool waits, enum message_type *type, byte_reader *content) {
    return take_kept(c, type, content) || receive(c, waits, type, content);
}

void channel_await(channel *c, enum message_type wanted, byte_reader *content) {
    enum message_type type;
    while (receive(c, true, &type, content) && type != wanted) {
        kept_message k = {.type = type};
        bytes_take_rest(content, &k.content);
        vector_push(&c->kept, k);
    }
}
