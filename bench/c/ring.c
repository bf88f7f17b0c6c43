/* Store buffering in a ring of N threads. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 3
#endif
#define RING_ORDER (ORDER ? memory_order_seq_cst : memory_order_relaxed)

static atomic_int x[N];

static void *run(void *argument) {
    intptr_t i = (intptr_t)argument;
    atomic_store_explicit(&x[i], 1, RING_ORDER);
    (void)atomic_load_explicit(&x[(i + 1) % N], RING_ORDER);
    return NULL;
}

int main(void) {
    pthread_t thread;
    for (intptr_t i = 0; i < N; i++) {
        pthread_create(&thread, NULL, run, (void *)i);
    }
    return 0;
}
