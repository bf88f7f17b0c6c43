#include "supervise/channel.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* As high as the limit allows, but not so high that the kernel has to make a large table. */
static int high_descriptor(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur > 1 << 10) {
        return (1 << 10) - 8;
    }
    return limit.rlim_cur > 64 ? (int)limit.rlim_cur - 8 : 3;
}

void channel_open(channel *c, int descriptor) {
    int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, high_descriptor());
    struct stat s = {0};
    if (moved >= 0) {
        close(descriptor);
        descriptor = moved;
    }
    fstat(descriptor, &s);
    *c = (channel){
        .descriptor = descriptor, .process = getpid(), .device = s.st_dev, .inode = s.st_ino};
}

static bool is_intact(const channel *c) {
    struct stat s;
    return syscall(SYS_getpid) == c->process && fstat(c->descriptor, &s) == 0 &&
           S_ISFIFO(s.st_mode) && s.st_dev == c->device && s.st_ino == c->inode;
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
