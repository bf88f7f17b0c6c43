// The handler writes to a pipe, and the loop reads from it.
// verified
// NOT_INSTALLED: deadlock waits for bytes from
// PIPE_CLOSED: crash SIGPIPE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>
static int ends[2];
static void handler(int number) {
    int saved = errno;
    char byte = (char)number;
    write(ends[1], &byte, 1);
    errno = saved;
}
static void *loop(void *unused) {
    char byte;
#ifdef PIPE_CLOSED
    close(ends[0]);
#else
    assert(read(ends[0], &byte, 1) == 1 && byte == SIGUSR1);
#endif
    return unused;
}
int main(void) {
    pthread_t thread;
    pipe(ends);
#ifdef NOT_INSTALLED
    signal(SIGUSR1, SIG_IGN);
#else
    signal(SIGUSR1, handler);
#endif
    pthread_create(&thread, NULL, loop, NULL);
    raise(SIGUSR1);
    pthread_join(thread, NULL);
    return 0;
}
