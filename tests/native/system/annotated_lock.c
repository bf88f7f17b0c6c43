/* A read-write lock of the program's own, of relaxed atomics, annotated as TSan's header has it.
 * WITHOUT: it is not. READERS: a reader writes. */
#include <assert.h>
#include <pthread.h>
#include <sanitizer/tsan_interface.h>
#include <stdatomic.h>

static atomic_int state; /* readers, or -1 */
static int value;

static void take(unsigned flags, int change) {
    __tsan_mutex_pre_lock(&state, flags);
    for (;;) {
        int old = atomic_load_explicit(&state, memory_order_relaxed);
        if ((change < 0 ? old == 0 : old >= 0) &&
            atomic_compare_exchange_strong_explicit(&state, &old, old + change,
                                                    memory_order_relaxed, memory_order_relaxed)) {
            break;
        }
    }
#ifndef WITHOUT
    __tsan_mutex_post_lock(&state, flags, 0);
#endif
}

static void give(unsigned flags, int change) {
    assert(__tsan_mutex_pre_unlock(&state, flags) == 0);
    atomic_fetch_sub_explicit(&state, change, memory_order_relaxed);
    __tsan_mutex_post_unlock(&state, flags);
}

static void *read_value(void *unused) {
    take(__tsan_mutex_read_lock, 1);
    assert(value == 0 || value == 1);
#ifdef READERS
    value = 1;
#endif
    give(__tsan_mutex_read_lock, 1);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    __tsan_mutex_create(&state, 0);
    for (int i = 0; i < 2; i++) {
        pthread_create(&threads[i], NULL, read_value, NULL);
    }
    take(0, -1);
    value = 1;
    give(0, -1);
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
    }
    __tsan_mutex_destroy(&state, 0);
    return 0;
}
