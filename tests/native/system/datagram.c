/* A datagram socket shows whether there is a family; it can be closed and set. SENT, BOUND, POLLED,
 * WATCHED, READ: it cannot be used. What is known of the other end of a local connection, and of
 * the file system. */
#define _GNU_SOURCE
#include <assert.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

static int option(int descriptor, int name) {
    int value = -1;
    socklen_t size = sizeof value;
    assert(getsockopt(descriptor, SOL_SOCKET, name, &value, &size) == 0 && size == sizeof value);
    return value;
}

static void check_file_systems(const char *path) {
    int descriptor = open(path, O_RDONLY);
    struct statfs by_path, by_descriptor;
    struct statvfs portable, other;
    assert(statfs(path, &by_path) == 0 && fstatfs(descriptor, &by_descriptor) == 0);
    assert(statvfs(path, &portable) == 0 && fstatvfs(descriptor, &other) == 0);
    assert(by_path.f_type == by_descriptor.f_type && portable.f_bsize == other.f_bsize);
    assert(portable.f_bsize == (unsigned long)by_path.f_bsize && by_path.f_bsize > 0);
    close(descriptor);
    assert(fstatfs(descriptor, &by_path) == -1 && errno == EBADF);
    assert(statfs("/no/such/file", &by_path) == -1 && errno == ENOENT);
}

static void check_names(void) {
    size_t (*stack)(const pthread_attr_t *) =
        (size_t(*)(const pthread_attr_t *))dlsym(RTLD_DEFAULT, "__pthread_get_minstack");
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    assert(!stack || stack(&attributes) >= PTHREAD_STACK_MIN);
}

int main(void) {
    int pair[2], s = socket(AF_INET6, SOCK_DGRAM, 0), t = socket(AF_INET, SOCK_STREAM, 0);
    struct ucred peer;
    socklen_t size = sizeof peer;
    assert(s >= 0 && t >= 0);
    assert(option(s, SO_TYPE) == SOCK_DGRAM && option(t, SO_TYPE) == SOCK_STREAM);
    assert(option(s, SO_PROTOCOL) == IPPROTO_UDP && option(t, SO_PROTOCOL) == IPPROTO_TCP);
#ifdef SENT
    sendto(s, "x", 1, 0, NULL, 0);
#elif defined BOUND
    bind(s, (struct sockaddr *)&(struct sockaddr_in6){.sin6_family = AF_INET6},
         sizeof(struct sockaddr_in6));
#elif defined POLLED
    poll(&(struct pollfd){.fd = s, .events = POLLIN}, 1, 0);
#elif defined WATCHED
    epoll_ctl(epoll_create1(0), EPOLL_CTL_ADD, s, &(struct epoll_event){.events = EPOLLIN});
#elif defined READ
    read(s, &peer, 1);
#endif
    assert(close(s) == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    assert(getsockopt(pair[0], SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && size == sizeof peer);
    assert(peer.pid == getpid() && peer.uid == getuid() && peer.gid == getgid());
    assert(getsockopt(t, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == (uid_t)-1);
    assert(option(pair[1], SO_PASSCRED) == 0 && option(pair[1], SO_PROTOCOL) == 0);
    check_file_systems("/usr/include/stdio.h");
    check_names();
    return 0;
}
