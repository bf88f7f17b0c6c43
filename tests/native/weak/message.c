/* Message passing of a plain value: right with release and acquire, or with fences; a data race
 * otherwise. ORDER: 0 relaxed, 1 release and acquire, 2 fences, 3 seq_cst. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int message;
static atomic_int ready;

static void *send(void *unused) {
    message = 42;
#if ORDER == 2
    atomic_thread_fence(memory_order_release);
#endif
#if ORDER == 1
    atomic_store_explicit(&ready, 1, memory_order_release);
#elif ORDER == 3
    ready = 1;
#else
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
#endif
    return unused;
}

static void *receive(void *unused) {
#if ORDER == 1
    int there = atomic_load_explicit(&ready, memory_order_acquire);
#elif ORDER == 3
    int there = ready;
#else
    int there = atomic_load_explicit(&ready, memory_order_relaxed);
#endif
#if ORDER == 2
    atomic_thread_fence(memory_order_acquire);
#endif
    if (there)
        assert(message == 42);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, send, 0);
    pthread_create(&b, 0, receive, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
