// A thread that sums up what others have added, until it is asked to stop.
// verified
// STOP_UNSEEN: deadlock waits for bytes from
// STOP_PLAIN: data-race stop
#include <pthread.h>
#include <stdatomic.h>
#include <sys/eventfd.h>
#include <unistd.h>
static int file;
static atomic_int stop;
static void *summer(void *unused) {
    eventfd_t sum = 0, more;
    do {
        eventfd_read(file, &more);
        sum += more;
#ifdef STOP_PLAIN
    } while (!*(int *)&stop);
#else
    } while (!stop);
#endif
    return unused;
}
int main(void) {
    pthread_t thread;
    file = eventfd(0, EFD_CLOEXEC);
    pthread_create(&thread, NULL, summer, NULL);
    eventfd_write(file, 3);
#ifdef STOP_PLAIN
    *(int *)&stop = 1;
#else
    stop = 1;
#endif
#ifndef STOP_UNSEEN
    eventfd_write(file, 1);
#endif
    pthread_join(thread, NULL);
    close(file);
    return 0;
}
