/* One producer, one consumer, a ring of two and indices with release and acquire. With BUG the
 * producer publishes its index with a relaxed store: correct on every machine that one would try
 * it on, and a data race by the C standard.
 * expect: errors none
 * expect -DBUG: errors data-race */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { SIZE = 2, COUNT = 3 };

static int ring[SIZE];
static atomic_uint head, tail;

#ifdef BUG
#define PUBLISH memory_order_relaxed
#else
#define PUBLISH memory_order_release
#endif

static bool put(int value) {
    unsigned t = atomic_load_explicit(&tail, memory_order_relaxed);
    if (t - atomic_load_explicit(&head, memory_order_acquire) == SIZE) {
        return false;
    }
    ring[t % SIZE] = value;
    atomic_store_explicit(&tail, t + 1, PUBLISH);
    return true;
}

static bool get(int *value) {
    unsigned h = atomic_load_explicit(&head, memory_order_relaxed);
    if (h == atomic_load_explicit(&tail, memory_order_acquire)) {
        return false;
    }
    *value = ring[h % SIZE];
    atomic_store_explicit(&head, h + 1, memory_order_release);
    return true;
}

static void *producer(void *unused) {
    (void)unused;
    for (int i = 1; i <= COUNT; i++) {
        put(i);
    }
    return NULL;
}

static void *consumer(void *unused) {
    (void)unused;
    int last = 0, value;
    for (int i = 0; i < COUNT; i++) {
        if (get(&value)) {
            assert(value > last);
            last = value;
        }
    }
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, producer, NULL);
    pthread_create(&threads[1], NULL, consumer, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
