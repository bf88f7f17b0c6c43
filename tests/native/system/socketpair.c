/* A server answers requests on a socket. CROSSED: both wait for the other to begin. DRY: the
 * client does not wait, and takes an answer that is not there yet. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2];

static void *serve(void *unused) {
    char request;
#ifdef CROSSED
    char greeting;
    read(ends[1], &greeting, 1);
#endif
    while (recv(ends[1], &request, 1, 0) == 1) {
        request++;
        assert(send(ends[1], &request, 1, MSG_NOSIGNAL) == 1);
    }
    close(ends[1]);
    return unused;
}

int main(void) {
    pthread_t thread;
    char answer = 0;
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    pthread_create(&thread, NULL, serve, NULL);
    for (char i = 'a'; i < 'c'; i++) {
        send(ends[0], &i, 1, 0);
#ifdef DRY
        recv(ends[0], &answer, 1, MSG_DONTWAIT);
#else
        recv(ends[0], &answer, 1, 0);
#endif
        assert(answer == i + 1);
    }
    shutdown(ends[0], SHUT_WR);
    pthread_join(thread, NULL);
    assert(recv(ends[0], &answer, 1, 0) == 0);
    return 0;
}
