// Edge-triggered: whoever is notified reads until nothing is left.
// verified
// ONE_READ: deadlock waits in poll
// ADDED_TWICE: assertion added == 0
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <unistd.h>
static int set, ends[2];
static void *reader(void *unused) {
    struct epoll_event event;
    char byte;
    for (int got = 0; got < 2;) {
        epoll_wait(set, &event, 1, -1);
#ifdef ONE_READ
        got += read(ends[0], &byte, 1) == 1;
#else
        while (read(ends[0], &byte, 1) == 1) {
            got++;
        }
#endif
    }
    return unused;
}
int main(void) {
    pthread_t thread;
    struct epoll_event event = {.events = EPOLLIN | EPOLLET};
    pipe2(ends, O_NONBLOCK);
    set = epoll_create1(0);
    int added = epoll_ctl(set, EPOLL_CTL_ADD, ends[0], &event);
#ifdef ADDED_TWICE
    added = epoll_ctl(set, EPOLL_CTL_ADD, ends[0], &event);
#endif
    assert(added == 0);
    pthread_create(&thread, NULL, reader, NULL);
    write(ends[1], "a", 1);
    write(ends[1], "b", 1);
    pthread_join(thread, NULL);
    return 0;
}
