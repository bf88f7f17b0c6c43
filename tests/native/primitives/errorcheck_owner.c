// Work is handed on with its lock held: an error-checking mutex cannot be unlocked by the receiver.
// verified
// WRONG_THREAD: assertion status == 0
// HELD_AT_END: deadlock waits for
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t lock;
static int ready;
static void *receiver(void *unused) {
#ifdef WRONG_THREAD
    int status = pthread_mutex_unlock(&lock);
    assert(status == 0);
#endif
    pthread_mutex_lock(&lock);
    assert(ready == 1);
    ready = 2;
#ifndef HELD_AT_END
    pthread_mutex_unlock(&lock);
#endif
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_mutexattr_t attributes;
    int type = -1;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutexattr_gettype(&attributes, &type);
    assert(type == PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&lock, &attributes);
    pthread_mutex_lock(&lock);
    pthread_create(&thread, NULL, receiver, NULL);
    ready = 1;
#ifndef WRONG_THREAD
    pthread_mutex_unlock(&lock);
#endif
    pthread_join(thread, NULL);
    pthread_mutex_lock(&lock);
    assert(ready == 2);
    pthread_mutex_unlock(&lock);
    return 0;
}
