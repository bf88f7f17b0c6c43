/* Sockets and message queues whose reads end after some time, in a loop that looks at a flag. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>

static int ends[2];
static mqd_t queue;
static atomic_int stop;

static ssize_t receive(void) {
    char byte[8];
#ifdef QUEUE
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec++;
    ssize_t result = mq_timedreceive(queue, byte, sizeof byte, NULL, &until);
    assert(result == 1 || errno == ETIMEDOUT);
#else
    ssize_t result = recv(ends[1], byte, 1, 0);
    assert(result == 1 || errno == EAGAIN);
#endif
    return result;
}

static void *serve(void *unused) {
    while (!stop && receive() != 1) {
    }
    return unused;
}

int main(void) {
    struct mq_attr attributes = {.mq_maxmsg = 2, .mq_msgsize = 8};
    struct timeval time = {.tv_sec = 1}, wrong = {.tv_usec = 1000000};
    queue = mq_open("/queue", O_CREAT | O_RDWR, 0600, &attributes);
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    assert(setsockopt(ends[1], SOL_SOCKET, SO_RCVTIMEO, &wrong, sizeof wrong) == -1);
    assert(errno == EDOM);
    assert(setsockopt(ends[1], SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time) == 0);
    pthread_t thread;
    pthread_create(&thread, NULL, serve, NULL);
#ifdef STOP
    stop = 1;
#elif defined QUEUE
    mq_send(queue, "x", 1, 0);
#else
    send(ends[0], "x", 1, 0);
#endif
    pthread_join(thread, NULL);
    return 0;
}
