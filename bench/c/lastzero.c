/* JACM 2017: one thread looks for the last zero of an array that N others fill. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 5
#endif

static atomic_int a[N + 1];

static void *last_zero(void *unused) {
    (void)unused;
    int i = N;
    while (a[i] != 0) {
        i--;
    }
    return NULL;
}

static void *fill(void *argument) {
    intptr_t j = (intptr_t)argument;
    a[j] = a[j - 1] + 1;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, last_zero, NULL);
    for (intptr_t j = 1; j <= N; j++) {
        pthread_create(&thread, NULL, fill, (void *)j);
    }
    return 0;
}
