// verified: sleeping lets time pass for whoever looks at a clock
#include <assert.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

static int x;

static void *worker(void *unused) {
    struct timespec before, after, pause = {.tv_sec = 1, .tv_nsec = 500000000};
    clock_gettime(CLOCK_MONOTONIC, &before);
    nanosleep(&pause, NULL);
    clock_gettime(CLOCK_MONOTONIC, &after);
    assert(after.tv_sec > before.tv_sec);
    __atomic_fetch_add(&x, 1, __ATOMIC_SEQ_CST);
    return unused;
}

int main(void) {
    pthread_t a, b;
    time_t start = time(NULL);
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    sleep(2);
    assert(time(NULL) - start >= 2);
    while (time(NULL) < start + 10) {
        usleep(500000);
    }
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
