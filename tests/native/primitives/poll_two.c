// A loop over two pipes: work, and the request to stop, after which work is still taken.
// verified
// STOP_FIRST: assertion done == 1
// ONLY_ONE_EVENT: deadlock|livelock|assertion .
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>
static int work[2], stop[2], done;
static void *loop(void *unused) {
    struct pollfd files[2] = {{.fd = work[0], .events = POLLIN}, {.fd = stop[0], .events = POLLIN}};
    char byte;
    for (;;) {
        poll(files, 2, -1);
#ifdef STOP_FIRST
        if (files[1].revents) {
            break;
        }
#endif
        if (files[0].revents) {
            done += read(work[0], &byte, 1) == 1;
#ifndef STOP_FIRST
            continue;
#endif
        }
#ifdef ONLY_ONE_EVENT
        else {
            read(work[0], &byte, 1);
        }
#endif
        if (files[1].revents) {
            break;
        }
    }
    return unused;
}
int main(void) {
    pthread_t thread;
    pipe(work);
    pipe(stop);
    pthread_create(&thread, NULL, loop, NULL);
    write(work[1], "w", 1);
    write(stop[1], "s", 1);
    pthread_join(thread, NULL);
    assert(done == 1);
    return 0;
}
