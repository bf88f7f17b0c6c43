/* 16-byte atomics. Two threads compare and swap from 0: either wins, the other fails (2 orders; a
 * failing one is a read). Then each reads: a winner's read against the loser's failed one: no
 * conflict. 2.
 * expect: executions 2 errors none */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

typedef struct pair {
    long a, b;
} pair;
static _Atomic pair x;

static void *worker(void *argument) {
    pair expected = {0, 0}, desired = {(long)argument, (long)argument};
    atomic_compare_exchange_strong(&x, &expected, desired);
    pair seen = atomic_load(&x);
    assert(seen.a == seen.b && seen.a != 0);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, (void *)1);
    pthread_create(&thread, NULL, worker, (void *)2);
    return 0;
}
