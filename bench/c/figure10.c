/* JACM 2017, figure 10: N instances of figure 2 in a chain. All p_i start at once; p_i starts the
 * rest of instance i + 1 if it reads that x_i was written. 4N + 1 traces. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 2
#endif

static atomic_int x[N + 1], y[N + 1], z[N + 1];

static void *q(void *argument) {
    y[(intptr_t)argument] = 1;
    return NULL;
}

static void *r(void *argument) {
    intptr_t i = (intptr_t)argument;
    int m = y[i];
    if (!m) {
        z[i] = 1;
    }
    return NULL;
}

static void *s(void *argument) {
    intptr_t i = (intptr_t)argument;
    int n = z[i];
    if (n) {
        int l = y[i];
        if (!l) {
            x[i] = 1;
        }
    }
    return NULL;
}

static void start(intptr_t i) {
    pthread_t thread;
    pthread_create(&thread, NULL, q, (void *)i);
    pthread_create(&thread, NULL, r, (void *)i);
    pthread_create(&thread, NULL, s, (void *)i);
}

static void *p(void *argument) {
    intptr_t i = (intptr_t)argument;
    if (x[i] && i < N) {
        start(i + 1);
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    for (intptr_t i = 1; i <= N; i++) {
        pthread_create(&thread, NULL, p, (void *)i);
    }
    start(1);
    return 0;
}
