/* Lamport's second fast mutex, N threads once each; what it awaits is assumed. */
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 2
#endif

static atomic_int x, y, b[N + 1];

static void *worker(void *argument) {
    int i = (int)(intptr_t)argument;
    for (;;) {
        b[i] = 1;
        x = i;
        if (y != 0) {
            b[i] = 0;
            heddle_assume(y == 0);
            continue;
        }
        y = i;
        if (x != i) {
            b[i] = 0;
            for (int j = 1; j <= N; j++) {
                heddle_assume(b[j] == 0);
            }
            if (y != i) {
                heddle_assume(y == 0);
                continue;
            }
        }
        break;
    }
    y = 0;
    b[i] = 0;
    return NULL;
}

int main(void) {
    pthread_t thread;
    for (intptr_t i = 1; i <= N; i++) {
        pthread_create(&thread, NULL, worker, (void *)i);
    }
    return 0;
}
