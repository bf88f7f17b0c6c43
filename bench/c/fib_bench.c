/* Two threads compute Fibonacci numbers in shared variables; main reads both without waiting. */
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif

static atomic_int i = 1, j = 1;

static void *first(void *unused) {
    (void)unused;
    for (int k = 0; k < N; k++) {
        i = i + j;
    }
    return NULL;
}

static void *second(void *unused) {
    (void)unused;
    for (int k = 0; k < N; k++) {
        j = j + i;
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, first, NULL);
    pthread_create(&thread, NULL, second, NULL);
    (void)i;
    (void)j;
    return 0;
}
