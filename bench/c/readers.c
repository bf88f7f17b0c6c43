/* One writer of x; N threads that read a variable of their own and then x. 2^N traces. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 3
#endif

static atomic_int x, y[N];

static void *writer(void *unused) {
    (void)unused;
    x = 1;
    return NULL;
}

static void *reader(void *argument) {
    (void)y[(intptr_t)argument];
    (void)x;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    for (intptr_t i = 0; i < N; i++) {
        pthread_create(&thread, NULL, reader, (void *)i);
    }
    return 0;
}
