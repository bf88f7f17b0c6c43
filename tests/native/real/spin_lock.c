/* A spin lock with a bounded number of tries around a counter. With BUG it looks and then takes,
 * in two steps.
 * expect: errors none
 * expect -DBUG: errors assertion,data-race */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { TRIES = 2, THREADS = 3 };

static atomic_int locked;
static int counter;
static atomic_int added;

static bool lock(void) {
    for (int i = 0; i < TRIES; i++) {
#ifdef BUG
        if (atomic_load(&locked) == 0) {
            atomic_store(&locked, 1);
            return true;
        }
#else
        if (atomic_exchange_explicit(&locked, 1, memory_order_acquire) == 0) {
            return true;
        }
#endif
    }
    return false;
}

static void unlock(void) {
    atomic_store_explicit(&locked, 0, memory_order_release);
}

static void *worker(void *unused) {
    (void)unused;
    if (lock()) {
        counter++;
        unlock();
        atomic_fetch_add(&added, 1);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        pthread_create(&threads[i], NULL, worker, NULL);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    assert(counter == added);
    return 0;
}
