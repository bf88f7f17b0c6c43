/* What sockets alone can do, and what a socket finds whose other end was closed before everything
 * was read. The same holds when the program runs by itself. */
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2];

static void *closes(void *unused) {
    char byte;
#ifdef READS
    assert(read(ends[1], &byte, 1) == 1);
#else
    (void)byte;
#endif
    close(ends[1]);
    return unused;
}

static short events(void) {
    struct pollfd look = {.fd = ends[0], .events = POLLIN};
    assert(poll(&look, 1, -1) == 1);
    return look.revents;
}

static void reset(int type) {
    pthread_t thread;
    char byte = 'a';
    int found = 0;
    socklen_t size = sizeof found;
    assert(socketpair(AF_UNIX, type, 0, ends) == 0);
    assert(getsockopt(ends[0], SOL_SOCKET, SO_TYPE, &found, &size) == 0 && found == type);
    assert(send(ends[0], &byte, 1, 0) == 1 && send(ends[1], "b", 1, 0) == 1);
    pthread_create(&thread, NULL, closes, NULL);
#ifdef READS
    assert(recv(ends[0], &byte, 1, 0) == 1 && byte == 'b');
    pthread_join(thread, NULL);
#else
    pthread_join(thread, NULL);
    assert(events() & POLLERR);
    if (type == SOCK_STREAM) {
        assert(recv(ends[0], &byte, 1, 0) == 1 && byte == 'b');
    }
    assert(recv(ends[0], &byte, 1, 0) == -1 && errno == ECONNRESET);
    if (type == SOCK_SEQPACKET) {
        assert(recv(ends[0], &byte, 1, 0) == 1 && byte == 'b');
    }
#endif
    assert(!(events() & POLLERR) && events() & POLLHUP);
    assert(recv(ends[0], &byte, 1, 0) == 0);
    assert(send(ends[0], &byte, 1, MSG_NOSIGNAL) == -1 && errno == EPIPE);
    close(ends[0]);
}

static void others(int descriptor) {
    char byte = 'a';
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    assert(recv(descriptor, &byte, 1, 0) == -1 && errno == ENOTSOCK);
    assert(send(descriptor, &byte, 1, 0) == -1 && errno == ENOTSOCK);
    assert(recvmsg(descriptor, &message, 0) == -1 && errno == ENOTSOCK);
    assert(sendmsg(descriptor, &message, 0) == -1 && errno == ENOTSOCK);
    close(descriptor);
}

int main(void) {
    int pipes[2];
    reset(SOCK_STREAM);
    reset(SOCK_SEQPACKET);
    assert(pipe(pipes) == 0);
    others(pipes[0]);
    others(pipes[1]);
    others(eventfd(1, 0));
    return 0;
}
