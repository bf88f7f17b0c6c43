/* N writers of x, a join, and an assertion on it (ISSTA 2019). N! traces. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 3
#endif

static atomic_int x;

static void *writer(void *argument) {
    x = (int)(intptr_t)argument;
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (intptr_t i = 0; i < N; i++) {
        pthread_create(&threads[i], NULL, writer, (void *)(i + 1));
    }
    for (int i = 0; i < N; i++) {
        pthread_join(threads[i], NULL);
    }
    assert(x > 0);
    return 0;
}
