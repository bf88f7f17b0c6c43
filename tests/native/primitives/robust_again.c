// A robust mutex that cannot be recovered is destroyed and initialised: then it can be locked again.
// verified
// NOT_DESTROYED: misuse|assertion .
// UNLOCKED_TWICE: assertion .
#include <assert.h>
#include <errno.h>
#include <pthread.h>
static pthread_mutex_t mutex;
static void *leave_locked(void *unused) {
    pthread_mutex_lock(&mutex);
    return unused;
}
int main(void) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &attributes);
    for (int i = 0; i < 2; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, leave_locked, NULL);
        pthread_join(thread, NULL);
        assert(pthread_mutex_lock(&mutex) == EOWNERDEAD);
        assert(pthread_mutex_unlock(&mutex) == 0);
#ifdef UNLOCKED_TWICE
        assert(pthread_mutex_unlock(&mutex) == 0);
#endif
        assert(pthread_mutex_lock(&mutex) == ENOTRECOVERABLE);
#ifndef NOT_DESTROYED
        pthread_mutex_destroy(&mutex);
        pthread_mutex_init(&mutex, &attributes);
#endif
    }
    return 0;
}
