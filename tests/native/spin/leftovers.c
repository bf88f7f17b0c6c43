/* A loop with a bounded inner loop, entered twice, below frames with much memory that nobody writes
 * (an event loop's): what heddle leaves there must be the same each time. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int pending, descriptor, loop;

static int swap(int expected, int desired) {
    return __sync_val_compare_and_swap(&pending, expected, desired);
}

static int spin(void) {
    for (;;) {
        for (int i = 0; i < 2; i++) {
            int found = swap(2, 0);
            if (found != 1) {
                return found;
            }
        }
        sched_yield();
    }
}

static void *send(void *nothing) {
    uint64_t one = 1;
    for (int i = 0; i < 2; i++) {
        if (swap(0, 1) == 0) {
            assert(write(descriptor, &one, sizeof one) == sizeof one);
            assert(swap(1, 2) == 1);
        }
    }
    return nothing;
}

static void receive(void) {
    char bytes[1024];
    assert(read(descriptor, bytes, sizeof bytes) == 8);
    spin();
    spin();
}

static void wait_once(void) {
    struct epoll_event events[1024];
    assert(epoll_wait(loop, events, 1024, -1) == 1);
    receive();
}

int main(void) {
    pthread_t thread;
    struct epoll_event e = {.events = EPOLLIN};
    descriptor = eventfd(0, EFD_NONBLOCK);
    loop = epoll_create1(0);
    epoll_ctl(loop, EPOLL_CTL_ADD, descriptor, &e);
    pthread_create(&thread, NULL, send, NULL);
    wait_once();
    pthread_join(thread, NULL);
    return 0;
}
