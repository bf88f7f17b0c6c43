/* A loop of two compare-exchanges, of which either ends it, and whose expectations are set again in
 * every round. x and y are 2 in turn: the loop can be left by both, or by none in time. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *wait(void *unused) {
    int a = 2, b = 2;
    while (!atomic_compare_exchange_strong(&x, &a, 3) && !atomic_compare_exchange_strong(&y, &b, 3)) {
        a = 2;
        b = 2;
    }
    return unused;
}

int main(void) {
    pthread_t waiter;
    pthread_create(&waiter, NULL, wait, NULL);
    x = 1;
    y = 1;
#ifndef STUCK
    x = 2;
#endif
    pthread_join(waiter, NULL);
}
