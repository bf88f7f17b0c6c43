/* Relaxed accesses with fences synchronise (no race); without the fences they do not. The flag is
 * read before or after it is written: 2; the data is read only after.
 * expect: executions 2 errors none
 * expect -DNO_FENCE: executions 2 errors data-race */
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;

static void fence(memory_order order) {
#ifndef NO_FENCE
    atomic_thread_fence(order);
#else
    (void)order;
#endif
}

static void *writer(void *unused) {
    (void)unused;
    data = 1;
    fence(memory_order_release);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return NULL;
}

static void *reader(void *unused) {
    (void)unused;
    if (atomic_load_explicit(&flag, memory_order_relaxed)) {
        fence(memory_order_acquire);
        return data ? unused : NULL;
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    pthread_create(&thread, NULL, reader, NULL);
    return 0;
}
