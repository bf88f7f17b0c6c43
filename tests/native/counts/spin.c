/* Loops that only wait. A round in vain leaves its mark in a temporary, so two of them are explored,
 * and the thread is stopped in the second: the flag is seen at once, after one round, or not (3).
 * With a lock, twice that, for either order: 6, of which 2 are stopped. Nobody sets the flag: the
 * reader waits for ever.
 * expect: executions 3 assumed 1 deadlocks 0 errors none
 * expect -DLOCK: executions 6 assumed 2 deadlocks 0 errors none
 * expect -DCOMPARE: executions 6 assumed 2 deadlocks 0 errors none
 * expect -DTRYLOCK: executions 6 assumed 2 deadlocks 0 errors none
 * expect -DNOBODY: executions 1 assumed 0 deadlocks 1 errors deadlock */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int flag;
static atomic_flag lock __attribute__((unused)) = ATOMIC_FLAG_INIT;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int data;

#if defined(LOCK) || defined(COMPARE) || defined(TRYLOCK)

static void *work(void *unused) {
#if defined(LOCK)
    while (atomic_flag_test_and_set(&lock)) {
        sched_yield();
    }
#elif defined(COMPARE)
    for (int expected = 0; !atomic_compare_exchange_strong(&flag, &expected, 1);) {
        expected = 0;
    }
#else
    while (pthread_mutex_trylock(&mutex) != 0) {
    }
#endif
    data++;
#if defined(LOCK)
    atomic_flag_clear(&lock);
#elif defined(COMPARE)
    atomic_store(&flag, 0);
#else
    pthread_mutex_unlock(&mutex);
#endif
    return unused;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, work, NULL);
    pthread_create(&other, NULL, work, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    assert(data == 2);
    return 0;
}

#else

static void *reader(void *unused) {
    while (!atomic_load_explicit(&flag, memory_order_acquire)) {
    }
    assert(data == 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, reader, NULL);
#ifndef NOBODY
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
#endif
    return pthread_join(thread, NULL);
}

#endif
