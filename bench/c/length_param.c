/* T threads with long local histories: N stores and loads of an own global, then a store and a
 * load of a shared one. With T = 2 there are 4 traces, however long they are. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef T
#define T 2
#endif
#ifndef N
#define N 16
#endif

static atomic_int own[T * 2], shared;

static void *worker(void *argument) {
    intptr_t id = (intptr_t)argument;
    for (int k = 0; k < N; k++) {
        own[id * 2] = k;
        (void)own[id * 2];
    }
    shared = (int)id;
    (void)shared;
    return NULL;
}

int main(void) {
    pthread_t thread;
    for (intptr_t i = 0; i < T; i++) {
        pthread_create(&thread, NULL, worker, (void *)i);
    }
    return 0;
}
