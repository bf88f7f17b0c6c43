// Two threads poll one pipe; who finds it empty after all must not block.
// verified
// BLOCKING: deadlock waits for bytes from
// HANGUP_UNSEEN: livelock|deadlock .
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>
static int ends[2];
static void *reader(void *unused) {
    struct pollfd file = {.fd = ends[0], .events = POLLIN};
    char byte;
    while (poll(&file, 1, 10) > 0) {
        if (file.revents & POLLIN && read(ends[0], &byte, 1) == 1) {
            break;
        }
#ifndef HANGUP_UNSEEN
        if (file.revents & POLLHUP) {
            break;
        }
#endif
    }
    return unused;
}
int main(void) {
    pthread_t threads[2];
    pipe(ends);
#ifndef BLOCKING
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
#endif
    pthread_create(&threads[0], NULL, reader, NULL);
    pthread_create(&threads[1], NULL, reader, NULL);
    write(ends[1], "x", 1);
#ifndef BLOCKING
    close(ends[1]);
#endif
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
