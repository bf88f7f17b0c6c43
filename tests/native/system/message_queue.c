/* Messages by priority through a queue that holds one. DEEP: it holds two, so that the second may
 * come first. THIRD: one more is expected. FULL: the sender must wait, and nobody receives. TIMED:
 * the wait for a third ends in time. TWO: two receivers, each of which gets one (either of them may
 * take the first, before or after the other is sent). POLLED: without
 * waiting in the queue. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

static mqd_t queue;
static int value, received;

static void *send_two(void *unused) {
    value = 7;
    assert(mq_send(queue, "first", 6, 1) == 0);
    assert(mq_send(queue, "second", 7, 9) == 0);
    return unused;
}

static ssize_t receive(char text[16], unsigned *priority) {
#ifdef POLLED
    struct pollfd file = {.fd = queue, .events = POLLIN};
    assert(poll(&file, 1, -1) == 1 && file.revents == POLLIN);
#endif
    return mq_receive(queue, text, 16, priority);
}

static void *receive_one(void *unused) {
    char text[16];
    assert(mq_receive(queue, text, sizeof text, NULL) == 6 && value == 7);
#ifdef SHARED
    received++;
#endif
    return unused;
}

static void open_queue(void) {
    struct mq_attr wanted = {.mq_maxmsg = 1, .mq_msgsize = 16};
#if defined DEEP || defined TWO
    wanted.mq_maxmsg = 2;
#endif
    assert(mq_open("/queue", O_RDONLY) == -1 && errno == ENOENT);
    queue = mq_open("/queue", O_CREAT | O_RDWR, 0600, &wanted);
    assert(mq_open("/queue", O_CREAT | O_EXCL | O_RDWR, 0600, &wanted) == -1 && errno == EEXIST);
    assert(mq_send(queue, "more than it takes", 18, 0) == -1 && errno == EMSGSIZE);
}

static void close_queue(void) {
    struct mq_attr now, other = {.mq_flags = O_NONBLOCK};
    char text[16];
    assert(mq_getattr(queue, &now) == 0 && now.mq_curmsgs == 0 && now.mq_msgsize == 16);
    assert(mq_setattr(queue, &other, NULL) == 0);
    assert(mq_receive(queue, text, 15, NULL) == -1 && errno == EMSGSIZE);
    assert(mq_close(queue) == 0 && mq_close(queue) == -1);
    assert(mq_unlink("/queue") == 0 && mq_unlink("/queue") == -1 && errno == ENOENT);
}

static void two_receivers(void) {
    pthread_t threads[2];
    value = 7;
    for (int i = 0; i < 2; i++) {
        pthread_create(&threads[i], NULL, receive_one, NULL);
    }
    mq_send(queue, "first", 6, 0);
    mq_send(queue, "other", 6, 0);
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
    }
}

static void one_receiver(void) {
    pthread_t thread;
    char text[16];
    unsigned priority;
    struct timespec soon;
    pthread_create(&thread, NULL, send_two, NULL);
#ifdef FULL
    pthread_join(thread, NULL);
#endif
    assert(receive(text, &priority) > 0 && value == 7);
    assert(strcmp(text, "first") == 0 && priority == 1);
    assert(receive(text, &priority) == 7 && priority == 9);
#ifdef THIRD
    receive(text, &priority);
#elif defined TIMED
    clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_sec++;
    assert(mq_timedreceive(queue, text, sizeof text, NULL, &soon) == -1 && errno == ETIMEDOUT);
    assert(mq_timedsend(queue, "third", 6, 0, &soon) == 0);
    assert(mq_timedsend(queue, "fourth", 7, 0, &soon) == -1 && errno == ETIMEDOUT);
    assert(receive(text, &priority) == 6);
#endif
    (void)soon;
    pthread_join(thread, NULL);
}

int main(void) {
    open_queue();
#ifdef TWO
    two_receivers();
#else
    one_receiver();
#endif
    close_queue();
    (void)received, (void)receive_one, (void)two_receivers, (void)one_receiver;
    return 0;
}
