/* Sockets and message queues whose reads end after some time, in a loop that looks at a flag. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

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

/* What a socket that listens has, those that it accepts have too. */
static void inherit(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(5555)};
    struct timeval time = {.tv_usec = 100000}, found;
    socklen_t size = sizeof found;
    char byte;
    int server = socket(AF_INET, SOCK_STREAM, 0), client = socket(AF_INET, SOCK_STREAM, 0);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert(bind(server, (struct sockaddr *)&address, sizeof address) == 0);
    assert(listen(server, 1) == 0);
    assert(setsockopt(server, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time) == 0);
    assert(connect(client, (struct sockaddr *)&address, sizeof address) == 0);
    int accepted = accept(server, NULL, NULL);
    assert(read(accepted, &byte, 1) == -1 && errno == EAGAIN);
    assert(getsockopt(accepted, SOL_SOCKET, SO_RCVTIMEO, &found, &size) == 0);
    assert(size == sizeof found && !found.tv_sec && found.tv_usec == 100000);
}

int main(void) {
#ifdef INHERIT
    inherit();
#endif
    (void)inherit;
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
