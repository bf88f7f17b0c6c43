/* N writers of x and an assertion on it (ISSTA 2019). (N + 1)! traces. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 2
#endif

static atomic_int x;

static void *writer(void *argument) {
    x = (int)(intptr_t)argument;
    return NULL;
}

static void *reader(void *unused) {
    (void)unused;
    assert(x < N + 1);
    return NULL;
}

int main(void) {
    pthread_t thread;
    for (intptr_t i = 0; i < N; i++) {
        pthread_create(&thread, NULL, writer, (void *)(i + 1));
    }
    pthread_create(&thread, NULL, reader, NULL);
    return 0;
}
