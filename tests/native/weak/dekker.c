/* Dekker's algorithm, each thread once, without the wait for its turn: who sees the other one's flag
 * gives up. ORDER: 0 release and acquire, 1 seq_cst, 2 with fences. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#if ORDER == 1
#define STORE memory_order_seq_cst
#define LOAD  memory_order_seq_cst
#else
#define STORE memory_order_release
#define LOAD  memory_order_acquire
#endif

static atomic_int flag[2];
static atomic_int inside;

static void *enter(void *argument) {
    uintptr_t own = (uintptr_t)argument;
    atomic_store_explicit(&flag[own], 1, STORE);
#if ORDER == 2
    atomic_thread_fence(memory_order_seq_cst);
#endif
    if (!atomic_load_explicit(&flag[1 - own], LOAD)) {
        assert(atomic_fetch_add_explicit(&inside, 1, memory_order_relaxed) == 0);
        atomic_fetch_sub_explicit(&inside, 1, memory_order_relaxed);
    }
    atomic_store_explicit(&flag[own], 0, memory_order_release);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, enter, (void *)0);
    pthread_create(&b, NULL, enter, (void *)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
