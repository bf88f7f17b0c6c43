// A worker that ends when no work has come for a while; the clock of the condition is monotonic.
// verified
// RELATIVE_TIME: assertion handled == 1
// OTHER_CLOCK: assertion handled == 1
// NO_CARRY: assertion handled == 1
// NO_TIMEOUT: deadlock waits for a signal
#include <assert.h>
#include <pthread.h>
#include <time.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled;
static int work, handled;
static void *worker(void *unused) {
    struct timespec limit;
    clock_gettime(CLOCK_MONOTONIC, &limit);
#ifdef RELATIVE_TIME
    limit = (struct timespec){1, 0};
#elif defined NO_CARRY
    limit.tv_nsec += 1000000000;
#else
    limit.tv_sec++;
#endif
    pthread_mutex_lock(&lock);
    while (!work) {
#ifdef NO_TIMEOUT
        pthread_cond_wait(&filled, &lock);
#else
        if (pthread_cond_timedwait(&filled, &lock, &limit) != 0) {
            break;
        }
#endif
    }
    handled += work;
    work = 0;
    pthread_mutex_unlock(&lock);
    return unused;
}
int main(void) {
    pthread_t threads[2];
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
#ifndef OTHER_CLOCK
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
#endif
    pthread_cond_init(&filled, &attributes);
    pthread_create(&threads[0], NULL, worker, NULL);
    pthread_create(&threads[1], NULL, worker, NULL);
    pthread_mutex_lock(&lock);
    work = 1;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    assert(handled == 1);
    return 0;
}
