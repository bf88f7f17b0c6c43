// A configuration that is replaced: readers use the old one only while they hold the lock.
// verified
// USE_AFTER_UNLOCK: data-race|use-after-free .
// TIMED_OUT_ANYWAY: data-race|misuse .
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
static pthread_rwlock_t lock;
static int *configuration;
static void *reader(void *unused) {
    struct timespec soon;
    clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_nsec += 1000;
    int status = pthread_rwlock_timedrdlock(&lock, &soon);
#ifndef TIMED_OUT_ANYWAY
    if (status != 0) {
        return unused;
    }
#endif
    int *current = configuration;
#ifdef USE_AFTER_UNLOCK
    pthread_rwlock_unlock(&lock);
    assert(*current > 0);
#else
    assert(*current > 0);
    if (status == 0) {
        pthread_rwlock_unlock(&lock);
    }
#endif
    return unused;
}
static int *make(int value) {
    int *made = malloc(sizeof *made);
    *made = value;
    return made;
}
int main(void) {
    pthread_t thread;
    pthread_rwlock_init(&lock, NULL);
    configuration = make(1);
    pthread_create(&thread, NULL, reader, NULL);
    pthread_rwlock_wrlock(&lock);
    free(configuration);
    configuration = make(2);
#ifdef TIMED_OUT_ANYWAY
    pthread_join(thread, NULL);
#endif
    pthread_rwlock_unlock(&lock);
#ifndef TIMED_OUT_ANYWAY
    pthread_join(thread, NULL);
#endif
    free(configuration);
    return 0;
}
