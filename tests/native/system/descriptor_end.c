/* A thread ends the use of a descriptor while another one uses it: whoever comes first, both orders
 * have to be found. POLL: a poll of a socket that is shut down. CLOSE: of a pipe that is closed.
 * EPOLL: an epoll that watches a pipe which is closed. STALE: a read by the number of a pipe that
 * was closed, which is the number of a connection now. SERVE: a server ends when the socket on
 * which it listens is shut down; it is right. */
#include <assert.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2], other, found;
static atomic_int stop;

static int listen_to(const struct sockaddr_in *address) {
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    assert(bind(listener, (const void *)address, sizeof *address) == 0);
    assert(listen(listener, 1) == 0);
    return listener;
}

static void *end(void *unused) {
#if defined POLL
    shutdown(ends[0], SHUT_RDWR);
#elif defined SERVE
    stop = 1;
    shutdown(other, SHUT_RDWR);
#else
    close(ends[0]);
#endif
#ifdef STALE
    assert(accept(other, NULL, NULL) == ends[0]);
#endif
    return unused;
}

static void *use(void *unused) {
#if defined STALE
    char byte = 0;
    found = read(ends[0], &byte, 1) == 1 ? byte : '-';
#elif defined EPOLL
    struct epoll_event event;
    found = epoll_wait(other, &event, 1, 0);
#elif defined SERVE
    while (!stop) {
        fd_set set;
        FD_ZERO(&set);
        FD_SET(other, &set);
        select(other + 1, &set, NULL, NULL, NULL);
    }
#else
    struct pollfd look = {.fd = ends[0], .events = POLLPRI};
    found = poll(&look, 1, 0);
#endif
    return unused;
}

int main(void) {
    pthread_t threads[2];
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(80)};
#ifdef POLL
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
#else
    assert(pipe(ends) == 0 && write(ends[1], "p", 1) == 1);
#endif
#ifdef EPOLL
    struct epoll_event event = {.events = EPOLLIN};
    other = epoll_create1(0);
    assert(epoll_ctl(other, EPOLL_CTL_ADD, ends[0], &event) == 0);
#elif defined STALE || defined SERVE
    other = listen_to(&address);
#endif
#ifdef STALE
    int client = socket(AF_INET, SOCK_STREAM, 0);
    assert(connect(client, (void *)&address, sizeof address) == 0);
    assert(write(client, "c", 1) == 1);
#endif
    pthread_create(&threads[0], NULL, end, NULL);
    pthread_create(&threads[1], NULL, use, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
#ifndef SERVE
    assert(found != UNWANTED);
#endif
    return (int)address.sin_family - AF_INET;
}
