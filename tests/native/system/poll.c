/* A thread reads from two pipes by poll, until both are at their end; the first is written without
 * waiting. FULL: it reads from the first one only, and the second becomes full. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#ifdef FULL
#define BLOCKS 17
#else
#define BLOCKS 1
#endif

static int first[2], second[2];

static void *feed(void *unused) {
    static char block[4096];
    while (dprintf(first[1], "%c", 'a') < 0) {
        assert(errno == EAGAIN);
    }
    close(first[1]);
    for (int i = 0; i < BLOCKS; i++) {
        assert(write(second[1], block, sizeof block) == sizeof block);
    }
    close(second[1]);
    return unused;
}

static ssize_t drain(struct pollfd *end) {
    static char bytes[4096];
    ssize_t count = end->revents ? read(end->fd, bytes, sizeof bytes) : 0;
    if (end->revents && count == 0) {
        end->fd = -1;
    }
    return count;
}

int main(void) {
    pthread_t thread;
    pipe(first);
    pipe(second);
    fcntl(first[1], F_SETFL, O_WRONLY | O_NONBLOCK);
    assert(fcntl(first[1], F_GETFL) & O_NONBLOCK);
    pthread_create(&thread, NULL, feed, NULL);
    struct pollfd ends[] = {{.fd = first[0], .events = POLLIN},
                            {.fd = second[0], .events = POLLIN}};
    ssize_t count = 0;
#ifdef FULL
    ends[1].fd = -1;
#endif
    while (ends[0].fd >= 0 || ends[1].fd >= 0) {
        assert(poll(ends, 2, -1) > 0);
        count += drain(&ends[0]) + drain(&ends[1]);
    }
    pthread_join(thread, NULL);
    assert(count == 1 + BLOCKS * 4096);
    return 0;
}
