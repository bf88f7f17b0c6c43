/* Write locks after Linux's: two threads, N rounds. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 2
#endif
enum { BIAS = 0x00100000 };

static atomic_int lock = BIAS, var;

static void *writer(void *argument) {
    int own = (int)(intptr_t)argument;
    for (int k = 0; k < N; k++) {
        if (atomic_fetch_sub(&lock, BIAS) == BIAS) {
            var = own;
            assert(var == own);
            atomic_fetch_add(&lock, BIAS);
        } else {
            atomic_fetch_add(&lock, BIAS);
        }
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, (void *)1);
    pthread_create(&thread, NULL, writer, (void *)2);
    return 0;
}
