/* Functions of pipes, sockets, message queues and timers in a program that makes none of them. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdbool.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define FAILS(call, error) (errno = 0, check((call) == -1 && errno == (error)))

static int file;

static void check(bool holds) {
    assert(holds);
}

#ifndef CLOSE
static void *other(void *unused) {
    check((fcntl(file, F_GETFL) & O_ACCMODE) == O_RDONLY);
    return unused;
}

static void call_queues(void) {
    struct mq_attr attributes = {0};
    char text[8] = "text";
    FAILS(mq_unlink("/none"), ENOENT);
    FAILS(mq_getattr(60, &attributes), EBADF);
    FAILS(mq_setattr(file, &attributes, NULL), EBADF);
    FAILS(mq_send(60, text, sizeof text, 0), EBADF);
    FAILS(mq_close(60), EBADF);
}

static void call_sockets(void) {
    struct sockaddr_in address = {.sin_family = AF_INET};
    FAILS(bind(file, (struct sockaddr *)&address, sizeof address), ENOTSOCK);
    FAILS(listen(60, 1), EBADF);
    FAILS(connect(file, (struct sockaddr *)&address, sizeof address), ENOTSOCK);
    FAILS(accept(60, NULL, NULL), EBADF);
    FAILS(send(60, "x", 1, 0), EBADF);
}

static void call_timers(void) {
    struct itimerspec setting = {{0, 0}, {1, 0}};
    struct epoll_event event;
    FAILS(timerfd_settime(60, 0, &setting, NULL), EBADF);
    FAILS(timerfd_gettime(file, &setting), EINVAL);
    FAILS(timer_settime((timer_t)0, 0, &setting, NULL), EINVAL);
    FAILS(timer_gettime((timer_t)0, &setting), EINVAL);
    FAILS(timer_getoverrun((timer_t)0), EINVAL);
    FAILS(timer_delete((timer_t)0), EINVAL);
    FAILS(epoll_wait(60, &event, 1, 0), EBADF);
    FAILS(eventfd_write(60, 1), EBADF);
}

int main(void) {
    pthread_t thread;
    file = open("/dev/null", O_RDONLY);
    assert(file >= 0);
    pthread_create(&thread, NULL, other, NULL);
#ifdef QUEUES
    call_queues();
#elif defined SOCKETS
    call_sockets();
#elif defined TIMERS
    call_timers();
#endif
    pthread_join(thread, NULL);
    return 0;
}
#else /* nothing else has to do with descriptors */
int main(void) {
    FAILS(mq_close(60), EBADF);
    return file;
}
#endif
