// Questions and answers over a pair of sockets.
// verified
// BOTH_READ: deadlock waits for bytes from
// NO_SHUTDOWN: deadlock waits for bytes from
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>
static int ends[2];
static void *server(void *unused) {
    int question;
#ifdef BOTH_READ
    char hello;
    read(ends[1], &hello, 1);
#endif
    while (recv(ends[1], &question, sizeof question, MSG_WAITALL) == sizeof question) {
        int answer = question * 2;
        send(ends[1], &answer, sizeof answer, MSG_NOSIGNAL);
    }
    close(ends[1]);
    return unused;
}
int main(void) {
    pthread_t thread;
    int question = 21, answer = 0;
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    pthread_create(&thread, NULL, server, NULL);
#ifdef BOTH_READ
    char hello;
    read(ends[0], &hello, 1);
#endif
    send(ends[0], &question, sizeof question, 0);
    recv(ends[0], &answer, sizeof answer, 0);
#ifndef NO_SHUTDOWN
    shutdown(ends[0], SHUT_WR);
#endif
    pthread_join(thread, NULL);
    close(ends[0]);
    return answer != 42;
}
