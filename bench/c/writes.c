/* T threads write one variable N times each: (T N)! / (N!)^T executions. */
#include <pthread.h>
#include <stdatomic.h>

#ifndef T
#define T 2
#endif
#ifndef N
#define N 2
#endif

static atomic_int x;

static void *writer(void *unused) {
    for (int k = 0; k < N; k++) {
        atomic_store_explicit(&x, k, ORDER ? memory_order_seq_cst : memory_order_relaxed);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < T; i++) {
        pthread_create(&thread, NULL, writer, NULL);
    }
    return 0;
}
