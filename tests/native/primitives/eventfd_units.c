// An eventfd as a semaphore: each read takes one.
// verified
// NOT_SEMAPHORE: deadlock waits for bytes from
// EMPTY_IGNORED: assertion taken == 1
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>
static int file;
static void *take(void *unused) {
    uint64_t units;
    read(file, &units, sizeof units);
    return unused;
}
int main(void) {
    pthread_t thread;
    uint64_t two = 2, got = 1;
    int taken = 0;
#ifdef NOT_SEMAPHORE
    file = eventfd(0, 0);
#elif defined EMPTY_IGNORED
    file = eventfd(0, EFD_SEMAPHORE | EFD_NONBLOCK);
#else
    file = eventfd(0, EFD_SEMAPHORE);
#endif
    pthread_create(&thread, NULL, take, NULL);
    write(file, &two, sizeof two);
    if (read(file, &got, sizeof got) == sizeof got) {
        taken = (int)got;
    }
    pthread_join(thread, NULL);
#ifdef EMPTY_IGNORED
    while (read(file, &got, sizeof got) > 0) {
        taken += 2;
    }
    assert(taken == 1);
#else
    assert(taken == 1);
#endif
    close(file);
    return 0;
}
