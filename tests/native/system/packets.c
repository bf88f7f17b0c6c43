/* A socket that keeps messages apart, with sendmsg and recvmsg. STREAM: another one joins them. */
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

static int ends[2];

static void *send_three(void *unused) {
    struct iovec parts[] = {{"one", 3}, {" more", 6}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
    assert(sendmsg(ends[0], &message, MSG_NOSIGNAL) == 9);
    assert(send(ends[0], "two", 4, 0) == 4);
    close(ends[0]);
    return unused;
}

int main(void) {
    pthread_t thread;
    char first[4], rest[60];
    struct iovec parts[] = {{first, 4}, {rest, sizeof rest}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
    fd_set wanted;
    sigset_t none;
#ifdef STREAM
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
#else
    assert(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) == 0);
#endif
    pthread_create(&thread, NULL, send_three, NULL);
    FD_ZERO(&wanted);
    FD_SET(ends[1], &wanted);
    sigemptyset(&none);
    assert(pselect(ends[1] + 1, &wanted, NULL, NULL, NULL, &none) == 1);
    assert(recvmsg(ends[1], &message, 0) == 9);
    assert(memcmp(first, "one ", 4) == 0 && strcmp(rest, "more") == 0);
    assert(recv(ends[1], rest, 2, 0) == 2); /* the rest of the message is lost */
    assert(recv(ends[1], rest, 2, 0) == 0);
    pthread_join(thread, NULL);
    return 0;
}
