// A function that may be called with the lock held asks the error-checking mutex.
// verified
// UNLOCK_ANYWAY: data-race count
// IGNORE_FAILURE: data-race count
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static int count;
static void add(void) {
    int status = pthread_mutex_lock(&lock);
    count++;
#ifdef UNLOCK_ANYWAY
    (void)status;
    pthread_mutex_unlock(&lock);
#else
    if (status != EDEADLK) {
        pthread_mutex_unlock(&lock);
    }
#endif
}
static void *adder(void *unused) {
    pthread_mutex_lock(&lock);
    add();
    count++;
    pthread_mutex_unlock(&lock);
    return unused;
}
static void *trier(void *unused) {
    int status = pthread_mutex_trylock(&lock);
#ifndef IGNORE_FAILURE
    if (status == 0)
#endif
    {
        count++;
        status = pthread_mutex_unlock(&lock);
    }
    return status == EPERM || status == EBUSY ? &lock : unused;
}
int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, adder, NULL);
    pthread_create(&threads[1], NULL, trier, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
