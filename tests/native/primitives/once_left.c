// A thread that ends within the function of pthread_once leaves it as if it had not been called: the next one
// calls it again. So does an assignment.
// verified
// LEFT_LOCKED: deadlock main waits for lock
// NOT_AGAIN: assertion ready == 2
#include <assert.h>
#include <pthread.h>
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ready;
static _Thread_local int is_cancelled;
static void initialise(void) {
#ifdef LEFT_LOCKED
    pthread_mutex_lock(&lock);
#endif
    if (is_cancelled) {
        pthread_testcancel();
    }
#ifndef LEFT_LOCKED
    pthread_mutex_lock(&lock);
#endif
    ready++;
    pthread_mutex_unlock(&lock);
}
static void *first(void *unused) {
    is_cancelled = 1;
    pthread_cancel(pthread_self());
    pthread_once(&once, initialise);
    pthread_testcancel();
    return unused;
}
int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, first, NULL);
    pthread_once(&once, initialise);
    assert(ready == 1);
    pthread_join(thread, &result);
    assert(result == PTHREAD_CANCELED && ready == 1);
#ifndef NOT_AGAIN
    once = (pthread_once_t)PTHREAD_ONCE_INIT;
#endif
    pthread_once(&once, initialise);
    assert(ready == 2);
    return 0;
}
