// EOWNERDEAD means that the caller has the lock, ENOTRECOVERABLE that it has not.
// verified
// TREATED_AS_FAILURE: deadlock waits for
// TREATED_AS_SUCCESS: data-race value
#include <errno.h>
#include <pthread.h>
static pthread_mutex_t lock;
static int value;
static void *dies(void *unused) {
    if (pthread_mutex_lock(&lock) == 0) {
        value = 1;
    }
    return unused;
}
static void *gives_up(void *unused) {
    int status = pthread_mutex_lock(&lock);
#ifdef TREATED_AS_FAILURE
    if (status == EOWNERDEAD) {
        pthread_mutex_lock(&lock);
    }
#endif
#ifdef TREATED_AS_SUCCESS
    value++;
#else
    if (status == 0 || status == EOWNERDEAD) {
        value++;
    }
#endif
    if (status != ENOTRECOVERABLE) {
        pthread_mutex_unlock(&lock);
    }
    return unused;
}
int main(void) {
    pthread_t threads[3];
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&lock, &attributes);
    pthread_create(&threads[0], NULL, dies, NULL);
    pthread_create(&threads[1], NULL, gives_up, NULL);
    pthread_create(&threads[2], NULL, gives_up, NULL);
    gives_up(NULL);
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
    }
    return 0;
}
