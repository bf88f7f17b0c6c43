/* Flanagan and Godefroid, POPL 2005: threads insert messages into a hash table. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 12
#endif
enum { SIZE = 128, MESSAGES = 4 };

static atomic_int table[SIZE];

static void *worker(void *argument) {
    for (int m = 1; m <= MESSAGES; m++) {
        int w = 11 * m + (int)(intptr_t)argument;
        int h = (7 * w) % SIZE;
        for (;;) {
            int expected = 0;
            if (atomic_compare_exchange_strong(&table[h], &expected, w)) {
                break;
            }
            h = (h + 1) % SIZE;
        }
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    for (intptr_t i = 0; i < N; i++) {
        pthread_create(&thread, NULL, worker, (void *)i);
    }
    return 0;
}
