// A wait for a condition gives up one level of a recursive lock only.
// verified
// NESTED: misuse locked 2 times
// ONE_LEVEL: deadlock waits for lock, held by main
#define _GNU_SOURCE
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int items;
static void take(void) {
    pthread_mutex_lock(&lock);
    while (items == 0) {
        pthread_cond_wait(&filled, &lock);
    }
    items--;
    pthread_mutex_unlock(&lock);
}
static void *consumer(void *unused) {
#ifdef NESTED
    pthread_mutex_lock(&lock);
    take();
    pthread_mutex_unlock(&lock);
#else
    take();
#endif
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, consumer, NULL);
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock);
    items++;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
#ifndef ONE_LEVEL
    pthread_mutex_unlock(&lock);
#endif
    pthread_join(thread, NULL);
    return 0;
}
