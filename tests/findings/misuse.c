/* Unlocks what another thread may hold. */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *unlock(void *unused) {
    (void)unused;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, NULL, unlock, NULL);
    pthread_join(thread, NULL);
    return 0;
}
