/* A thread waits for a thread-local variable of its own, the last one, whose address another thread has. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Thread_local int own;
static _Thread_local atomic_int seen;
static _Atomic(atomic_int *) published;

static void *wait_for_other(void *unused) {
    own = 1;
    atomic_store_explicit(&published, &seen, memory_order_release);
    while (!atomic_load_explicit(&seen, memory_order_acquire)) {
    }
    assert(own == 1);
    return unused;
}

static void *answer(void *unused) {
    atomic_int *found;
    while (!(found = atomic_load_explicit(&published, memory_order_acquire))) {
    }
    atomic_store_explicit(found, 1, memory_order_release);
    assert(own == 0);
    return unused;
}

int main(void) {
    pthread_t waits, answers;
    pthread_create(&waits, NULL, wait_for_other, NULL);
    pthread_create(&answers, NULL, answer, NULL);
    pthread_join(waits, NULL);
    pthread_join(answers, NULL);
    return 0;
}
