// A queue of one cell: producers and consumers wait for its state.
// verified
// IF_INSTEAD_OF_WHILE: assertion full
// SIGNAL_BEFORE_CHANGE: deadlock waits for a signal
// SIGNAL_ONE: deadlock waits for a signal
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int full;
static void wake(void) {
#ifdef SIGNAL_ONE
    pthread_cond_signal(&changed);
#else
    pthread_cond_broadcast(&changed);
#endif
}
static void *put(void *unused) {
#ifdef SIGNAL_BEFORE_CHANGE
    wake();
#endif
    pthread_mutex_lock(&lock);
    while (full) {
        pthread_cond_wait(&changed, &lock);
    }
    full = 1;
    pthread_mutex_unlock(&lock);
#ifndef SIGNAL_BEFORE_CHANGE
    wake();
#endif
    return unused;
}
static void *take(void *unused) {
    pthread_mutex_lock(&lock);
#ifdef IF_INSTEAD_OF_WHILE
    if (!full) {
#else
    while (!full) {
#endif
        pthread_cond_wait(&changed, &lock);
    }
    assert(full);
    full = 0;
    pthread_mutex_unlock(&lock);
    wake();
    return unused;
}
int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, take, NULL);
    pthread_create(&threads[1], NULL, take, NULL);
    pthread_create(&threads[2], NULL, put, NULL);
    put(NULL);
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
    }
    return 0;
}
