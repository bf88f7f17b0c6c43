/* A sequence lock: the reader takes what it has read only if the number was even and is the same
 * after it. ORDER: 0 relaxed, 1 with the fences that it needs (Boehm, MSPC 2012). */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int sequence, left, right;

static void *write_both(void *unused) {
    atomic_store_explicit(&sequence, 1, memory_order_relaxed);
#if ORDER
    atomic_thread_fence(memory_order_release);
#endif
    atomic_store_explicit(&left, 1, memory_order_relaxed);
    atomic_store_explicit(&right, 1, memory_order_relaxed);
    atomic_store_explicit(&sequence, 2, ORDER ? memory_order_release : memory_order_relaxed);
    return unused;
}

static void *read_both(void *unused) {
    int before = atomic_load_explicit(&sequence, ORDER ? memory_order_acquire : memory_order_relaxed);
    if (before % 2 == 0) {
        int one = atomic_load_explicit(&left, memory_order_relaxed);
        int other = atomic_load_explicit(&right, memory_order_relaxed);
#if ORDER
        atomic_thread_fence(memory_order_acquire);
#endif
        if (atomic_load_explicit(&sequence, memory_order_relaxed) == before)
            assert(one == other);
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, write_both, NULL);
    pthread_create(&b, NULL, read_both, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
