/* Looks until there is something to read. With BUG, nobody writes. */
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *writer(void *nothing) {
#ifndef BUG
    write(ends[1], "x", 1);
#endif
    return nothing;
}

int main(void) {
    pthread_t thread;
    struct pollfd file;
    if (pipe(ends)) {
        return 0;
    }
    pthread_create(&thread, NULL, writer, NULL);
    file.fd = ends[0];
    file.events = POLLIN;
    while (poll(&file, 1, 0) == 0) {
    }
    pthread_join(thread, NULL);
    return 0;
}
