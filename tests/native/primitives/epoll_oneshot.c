// One-shot: one thread at a time has a descriptor, and arms it again when it is done.
// verified
// NOT_ARMED: deadlock waits in poll
// NOT_ONESHOT: data-race owner
#include <pthread.h>
#include <sys/epoll.h>
#include <unistd.h>
#ifdef NOT_ONESHOT
enum { EVENTS = EPOLLIN };
#else
enum { EVENTS = EPOLLIN | EPOLLONESHOT };
#endif
static int set, ends[2], owner;
static void *worker(void *unused) {
    struct epoll_event event = {.events = EVENTS};
    char byte;
    epoll_wait(set, &event, 1, -1);
    owner++;
    read(ends[0], &byte, 1);
    event.events = EVENTS;
#ifndef NOT_ARMED
    epoll_ctl(set, EPOLL_CTL_MOD, ends[0], &event);
#endif
    return unused;
}
int main(void) {
    pthread_t threads[2];
    struct epoll_event event = {.events = EVENTS};
    pipe(ends);
    set = epoll_create1(EPOLL_CLOEXEC);
    epoll_ctl(set, EPOLL_CTL_ADD, ends[0], &event);
    pthread_create(&threads[0], NULL, worker, NULL);
    pthread_create(&threads[1], NULL, worker, NULL);
    write(ends[1], "ab", 2);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return owner != 2;
}
