/* A loop that waits for pipes and for an eventfd that ends it. LATE: one of them is watched for one
 * event. EDGE: the loop takes one byte at an edge, and may wait forever for the second. LOST: main
 * expects that all was read before the end. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

struct source {
    int ends[2], seen;
};
static struct source one, other;
static int stop, loop;

static void watch(struct source *s, uint32_t events) {
    struct epoll_event e = {.events = events, .data.ptr = s};
    assert(pipe(s->ends) == 0);
    assert(epoll_ctl(loop, EPOLL_CTL_ADD, s->ends[0], &e) == 0);
}

static void *run(void *nothing) {
    struct epoll_event events[4];
    for (;;) {
        int count = epoll_wait(loop, events, 4, -1);
        assert(count > 0);
        for (int i = 0; i < count; i++) {
            struct source *s = events[i].data.ptr;
            char byte;
            if (!s) {
                return nothing;
            }
            assert(read(s->ends[0], &byte, 1) == 1);
            s->seen++;
        }
#ifdef EDGE
        if (one.seen == 2) {
            return nothing;
        }
#endif
    }
}

int main(void) {
    pthread_t thread;
    struct epoll_event e = {.events = EPOLLIN};
    loop = epoll_create1(0);
    stop = eventfd(0, 0);
    assert(epoll_ctl(loop, EPOLL_CTL_ADD, stop, &e) == 0);
    pthread_create(&thread, NULL, run, NULL);
#ifdef EDGE
    watch(&one, EPOLLIN | EPOLLET);
    assert(write(one.ends[1], "a", 1) == 1 && write(one.ends[1], "b", 1) == 1);
    pthread_join(thread, NULL);
#else
    watch(&one, EPOLLIN);
    assert(write(one.ends[1], "a", 1) == 1);
#ifdef LATE
    watch(&other, EPOLLIN | EPOLLONESHOT);
    assert(write(other.ends[1], "b", 1) == 1 && write(other.ends[1], "c", 1) == 1);
#endif
    uint64_t end = 1;
    assert(write(stop, &end, sizeof end) == sizeof end);
    pthread_join(thread, NULL);
#ifdef LOST
    assert(one.seen == 1);
#endif
    assert(one.seen <= 1 && other.seen <= 1);
#endif
    return 0;
}
