/* Timers as descriptors: they expire when nothing else can happen, or at any time. */
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static int timer, event, work;

static void arm(int seconds, int interval) {
    struct itimerspec setting = {.it_value.tv_sec = seconds, .it_interval.tv_sec = interval};
    assert(timerfd_settime(timer, 0, &setting, NULL) == 0);
}

static uint64_t expired(void) {
    uint64_t times;
    return read(timer, &times, sizeof times) == sizeof times ? times : 0;
}

static time_t seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

/* What a loop of events does. */
static void *serve(void *unused) {
    struct epoll_event wanted = {.events = EPOLLIN, .data.fd = timer}, found[2];
    int epoll = epoll_create1(0);
    assert(epoll_ctl(epoll, EPOLL_CTL_ADD, timer, &wanted) == 0);
    wanted.data.fd = event;
    assert(epoll_ctl(epoll, EPOLL_CTL_ADD, event, &wanted) == 0);
    for (int stop = 0; !stop;) {
        int count = epoll_wait(epoll, found, 2, -1);
        assert(count > 0);
        for (int i = 0; i < count; i++) {
            if (found[i].data.fd == timer) {
                assert(expired() == 1);
                work++;
            } else {
                stop = 1;
            }
        }
    }
    close(epoll);
    return unused;
}

static void *wait_for_it(void *unused) {
    assert(expired() == 1);
    return unused;
}

static void run(void *(*function)(void *), void (*meanwhile)(void)) {
    pthread_t thread;
    pthread_create(&thread, NULL, function, NULL);
    meanwhile();
    pthread_join(thread, NULL);
}

static void stop(void) {
    eventfd_write(event, 1);
}

static void arm_once(void) {
    arm(3, 0);
}

static void one_thread(void) {
    struct itimerspec left, never = {0};
    struct pollfd file = {.fd = timer, .events = POLLIN};
    time_t start = seconds();
    assert(poll(&file, 1, 1000) == 0 && seconds() == start + 1);
    arm(5, 2);
    assert(poll(&file, 1, 1000) == 0 && poll(&file, 1, -1) == 1 && file.revents == POLLIN);
    assert(seconds() == start + 6 && expired() == 1 && expired() == 1 && seconds() == start + 8);
    sleep(7);
    assert(expired() == 3 && seconds() == start + 15);
    assert(timerfd_gettime(timer, &left) == 0 && left.it_interval.tv_sec == 2);
    assert(timerfd_settime(timer, 0, &never, &left) == 0 && left.it_interval.tv_sec == 2);
    assert(write(timer, &start, sizeof start) == -1 && errno == EINVAL);
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    struct itimerspec at = {.it_value = {now.tv_sec + 1, now.tv_nsec}};
    assert(timerfd_settime(timer, TFD_TIMER_ABSTIME, &at, NULL) == 0 && expired() == 1);
    at.it_value.tv_sec = (time_t)(UINT64_MAX / 1000000000 + 1);
    assert(timerfd_settime(timer, TFD_TIMER_ABSTIME, &at, NULL) == 0 && poll(&file, 1, 1000) == 0);
    int other = timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK);
    assert(read(other, &start, sizeof start) == -1 && errno == EAGAIN);
    close(other);
    for (int i = 0; i < 6; i++) {
        start = seconds();
        assert(sleep(UINT_MAX) == 0 && seconds() >= start);
    }
}

/* Loops that come back before the timer expires, and those that only look. */
static void loops(void) {
    struct pollfd file = {.fd = timer, .events = POLLRDNORM};
    struct epoll_event event = {.events = EPOLLIN};
    struct itimerspec once = {.it_value.tv_sec = 1}, rare = {.it_interval.tv_sec = LONG_MAX, .it_value.tv_sec = 1};
    uint64_t times;
    int epoll = epoll_create1(0), other = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    assert(epoll_ctl(epoll, EPOLL_CTL_ADD, timer, &event) == 0);
    for (int span = 0; span <= 300; span += 300) {
        arm(1, 0);
        while (poll(&file, 1, span) == 0) {
        }
        arm(1, 0);
        while (epoll_wait(epoll, &event, 1, span) == 0) {
        }
    }
    assert(timerfd_settime(other, 0, &once, NULL) == 0);
    while (read(other, &times, sizeof times) == -1) {
        assert(errno == EAGAIN);
    }
    assert(timerfd_settime(timer, 0, &rare, NULL) == 0);
    assert(expired() == 1);
    assert(timerfd_settime(other, 1 << 20, &once, NULL) == -1 && errno == EINVAL);
    assert(timerfd_create(CLOCK_MONOTONIC, 1) == -1 && errno == EINVAL);
}

int main(void) {
    timer = timerfd_create(CLOCK_MONOTONIC, 0);
    event = eventfd(0, 0);
#ifdef ALONE
    one_thread();
#elif defined LOOPS
    loops();
#elif defined LOOP
    arm(1, 0);
    run(serve, stop);
#ifdef EXPIRED
    assert(work == 1);
#endif
#elif defined LATER
    run(wait_for_it, arm_once);
#elif defined NEVER
    run(wait_for_it, stop);
#endif
    (void)serve, (void)stop, (void)run, (void)wait_for_it, (void)arm_once, (void)one_thread;
    (void)loops;
    close(timer);
    return 0;
}
