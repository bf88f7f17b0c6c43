/* The program of the speed benchmark: four threads, forty-four events. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int shared[4];
static int guarded;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *argument) {
    intptr_t id = (intptr_t)argument;
    for (int i = 0; i < 3; i++) {
        shared[id] = i;
        (void)shared[(id + 1) % 4];
    }
    pthread_mutex_lock(&mutex);
    guarded = guarded + 1;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t thread;
    for (intptr_t i = 0; i < 4; i++) {
        pthread_create(&thread, NULL, worker, (void *)i);
    }
    return 0;
}
