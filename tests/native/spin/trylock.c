/* A mutex that is tried until it is obtained. */
#include "spin.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *body(void *argument) {
    (void)argument;
    while (pthread_mutex_trylock(&mutex)) {
    }
    section();
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    run_threads(body);
}
