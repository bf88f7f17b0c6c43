// The end of a connection is closed by one thread only, after the other one has left it.
// verified
// CLOSED_TWICE: assertion close
// REUSED_NUMBER: deadlock|assertion .
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>
static int ends[2];
static void *reader(void *unused) {
    char byte;
    ssize_t length = read(ends[1], &byte, 1);
    assert(length == 1 && byte == 'x');
#ifdef CLOSED_TWICE
    assert(close(ends[1]) == 0);
#endif
    return unused;
}
int main(void) {
    pthread_t thread;
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    write(ends[0], "x", 1);
    pthread_create(&thread, NULL, reader, NULL);
#ifdef REUSED_NUMBER
    int others[2];
    close(ends[1]);
    socketpair(AF_UNIX, SOCK_STREAM, 0, others);
    write(others[1], "y", 1);
#endif
    pthread_join(thread, NULL);
#ifndef REUSED_NUMBER
    assert(close(ends[1]) == 0);
#endif
    close(ends[0]);
    return 0;
}
