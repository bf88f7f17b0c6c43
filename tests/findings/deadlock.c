/* Two mutexes in opposite orders. */
#include <pthread.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t right = PTHREAD_MUTEX_INITIALIZER;

static void *backwards(void *unused) {
    (void)unused;
    pthread_mutex_lock(&right);
    pthread_mutex_lock(&left);
    pthread_mutex_unlock(&left);
    pthread_mutex_unlock(&right);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, backwards, NULL);
    pthread_mutex_lock(&left);
    pthread_mutex_lock(&right);
    pthread_mutex_unlock(&right);
    pthread_mutex_unlock(&left);
    pthread_join(thread, NULL);
    return 0;
}
