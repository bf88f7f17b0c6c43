/* What a socket and its peer see after a shutdown, as Linux shows it (UNIX-domain sockets). WAKE: a
 * thread that waits for bytes is woken by the end of its own direction. LATE: what was written
 * before that is not visible without it. */
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2], data;

static short events_of(int descriptor) {
    struct pollfd look = {.fd = descriptor, .events = POLLIN | POLLOUT};
    poll(&look, 1, 0);
    return look.revents;
}

static ssize_t receive(int descriptor) {
    char byte;
    errno = 0;
    return recv(descriptor, &byte, 1, MSG_DONTWAIT);
}

static ssize_t give(int descriptor) {
    errno = 0;
    return send(descriptor, "x", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* Bytes that had arrived can still be read. */
static void reading_ends(void) {
    assert(give(ends[1]) == 1 && shutdown(ends[0], SHUT_RD) == 0);
    assert(events_of(ends[0]) == (POLLIN | POLLOUT) && events_of(ends[1]) == POLLOUT);
    assert(give(ends[1]) == -1 && errno == EPIPE);
    assert(receive(ends[0]) == 1 && receive(ends[0]) == 0);
    assert(give(ends[0]) == 1 && receive(ends[1]) == 1);
}

static void writing_ends(void) {
    assert(shutdown(ends[0], SHUT_WR) == 0);
    assert(events_of(ends[0]) == POLLOUT && events_of(ends[1]) == (POLLIN | POLLOUT));
    assert(give(ends[0]) == -1 && errno == EPIPE);
    assert(receive(ends[0]) == -1 && errno == EAGAIN && receive(ends[1]) == 0);
    assert(give(ends[1]) == 1 && receive(ends[0]) == 1);
}

static void both_end(void) {
    assert(shutdown(ends[0], SHUT_RDWR) == 0 && shutdown(ends[0], SHUT_RDWR) == 0);
    for (int i = 0; i < 2; i++) {
        assert(events_of(ends[i]) == (POLLIN | POLLOUT | POLLHUP));
        assert(receive(ends[i]) == 0 && give(ends[i]) == -1 && errno == EPIPE);
    }
}

static void *wait_for_end(void *unused) {
    char byte;
#ifndef LATE
    assert(recv(ends[0], &byte, 1, 0) == 0);
#else
    (void)byte;
#endif
    assert(data == 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    void (*const parts[])(void) = {reading_ends, writing_ends, both_end};
    int pipe_ends[2];
    for (int i = 0; i < 3; i++) {
        assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
        parts[i]();
        close(ends[0]);
        assert(events_of(ends[1]) == (POLLIN | POLLOUT | POLLHUP));
        close(ends[1]);
    }
    assert(pipe(pipe_ends) == 0 && shutdown(pipe_ends[0], SHUT_RD) == -1 && errno == ENOTSOCK);
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    pthread_create(&thread, NULL, wait_for_end, NULL);
    data = 1;
    shutdown(ends[0], SHUT_RD);
    pthread_join(thread, NULL);
    return 0;
}
