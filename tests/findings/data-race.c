/* One access under the mutex, the other without. */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void *add(void *unused) {
    (void)unused;
    pthread_mutex_lock(&mutex);
    total = 1;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, add, NULL);
    total = 2;
    pthread_join(thread, NULL);
    return 0;
}
