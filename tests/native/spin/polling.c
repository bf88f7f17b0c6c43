/* A variable is polled under a mutex. */
#include "spin.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int ready;

static int is_ready(void) {
    pthread_mutex_lock(&mutex);
    int seen = ready;
    pthread_mutex_unlock(&mutex);
    return seen;
}

static void *body(void *argument) {
    (void)argument;
    while (!is_ready()) {
        PAUSE();
    }
    return NULL;
}

int main(void) {
    pthread_t threads[N - 1];
    for (int i = 0; i < N - 1; i++) {
        pthread_create(&threads[i], NULL, body, NULL);
    }
#ifndef BUG
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_mutex_unlock(&mutex);
#endif
    for (int i = 0; i < N - 1; i++) {
        pthread_join(threads[i], NULL);
    }
}
