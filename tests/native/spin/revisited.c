/* A compare-and-swap in a loop that nobody has looked at since its thread got there: under pop,
 * whether it could continue with another value was asked of what it was before loops were watched.
 * Main ends the program at once, and so the loop. */
#include <pthread.h>
#include <stdatomic.h>

static _Atomic long x, y;

static int compare_and_swap(_Atomic long *place, long expected, long desired) {
    return atomic_compare_exchange_strong(place, &expected, desired);
}

static void *writer(void *unused) {
    long seen = atomic_fetch_add(&x, 1);
    atomic_store(&y, seen + 1);
    return unused;
}

static void *looker(void *unused) {
    long seen = atomic_load(&y);
    atomic_store(&y, seen + 2);
    for (;;) {
        seen = compare_and_swap(&y, 1, 1);
        seen = atomic_load(&x);
    }
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, writer, NULL);
    pthread_create(&threads[1], NULL, looker, NULL);
    return 0;
}
