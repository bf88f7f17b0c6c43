// A worker is cancelled while it waits with a lock: its cleanup handler gives that back.
// verified
// NO_HANDLER: deadlock waits for lock
// HANDLER_UNLOCKED: misuse unlock
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int items = 1;
static void unlock(void *mutex) {
    pthread_mutex_unlock(mutex);
}
static void *worker(void *unused) {
    pthread_mutex_lock(&lock);
#ifndef NO_HANDLER
    pthread_cleanup_push(unlock, &lock);
#endif
    for (int i = 0; i < 2; i++) {
        while (items == 0) {
            pthread_cond_wait(&filled, &lock);
        }
        items--;
#ifdef HANDLER_UNLOCKED
        pthread_mutex_unlock(&lock);
        pthread_testcancel();
        pthread_mutex_lock(&lock);
#endif
    }
#ifdef NO_HANDLER
    pthread_mutex_unlock(&lock);
#else
    pthread_cleanup_pop(1);
#endif
    return unused;
}
int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    pthread_mutex_lock(&lock);
    items = 0;
    pthread_mutex_unlock(&lock);
    return result != PTHREAD_CANCELED;
}
