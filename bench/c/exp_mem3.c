/* One thread writes x; another starts N writers of y, joins them and reads x. 2 * N! traces. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 3
#endif

static atomic_int x, y;

static void *p(void *unused) {
    (void)unused;
    x = 1;
    return NULL;
}

static void *writer(void *argument) {
    y = (int)(intptr_t)argument;
    return NULL;
}

static void *q(void *unused) {
    (void)unused;
    pthread_t writers[N];
    for (intptr_t i = 0; i < N; i++) {
        pthread_create(&writers[i], NULL, writer, (void *)(i + 1));
    }
    for (int i = 0; i < N; i++) {
        pthread_join(writers[i], NULL);
    }
    (void)x;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, p, NULL);
    pthread_create(&thread, NULL, q, NULL);
    return 0;
}
