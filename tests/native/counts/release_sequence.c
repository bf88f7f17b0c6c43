/* A relaxed read-modify-write continues a release sequence; a relaxed store by another thread
 * ends it. T1: data = 1; release-store flag 1. T2: relaxed fetch_add (or store 2).
 * T3: acquire-load; if it reads 2: read data. With fetch_add, 2 means that T1's store was read
 * through. T1's and T2's accesses of flag and T3's load conflict: 3! = 6. With the store, T3 may
 * read 2 although T1 has not stored yet, and then reads data before or after T1's write: 7.
 *
 * expect: executions 6 errors none
 * expect -DSTORE: executions 7 errors data-race */
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;

static void *first(void *unused) {
    (void)unused;
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
    return NULL;
}

static void *second(void *unused) {
    (void)unused;
#ifdef STORE
    atomic_store_explicit(&flag, 2, memory_order_relaxed);
#else
    atomic_fetch_add_explicit(&flag, 1, memory_order_relaxed);
#endif
    return NULL;
}

static void *third(void *unused) {
    (void)unused;
    if (atomic_load_explicit(&flag, memory_order_acquire) == 2) {
        return data ? unused : NULL;
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, first, NULL);
    pthread_create(&thread, NULL, second, NULL);
    pthread_create(&thread, NULL, third, NULL);
    return 0;
}
