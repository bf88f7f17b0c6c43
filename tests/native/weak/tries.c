/* Loops that try to lock a mutex until they have it. WHAT says which program; tests/cli/native-weak-tries.sh
 * has each of them in the notation of abstract programs. */
#include <pthread.h>
#include <stdatomic.h>

#define LOAD(x) atomic_load_explicit(&x, memory_order_relaxed)
#define STORE(x, value) atomic_store_explicit(&x, value, memory_order_relaxed)

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x, y;

static void take(pthread_mutex_t *mutex) {
    while (pthread_mutex_trylock(mutex)) {
    }
}

static void body(int i) {
    switch (WHAT) {
        case 0: /* as a lock */
            take(&m);
            STORE(x, i + 1);
            pthread_mutex_unlock(&m);
            break;
        case 1: /* what was done under the lock is seen */
            if (i == 0) {
                STORE(x, 1);
                pthread_mutex_lock(&m);
                STORE(y, 1);
                pthread_mutex_unlock(&m);
            } else {
                take(&m);
                (void)LOAD(y);
                (void)LOAD(x);
                pthread_mutex_unlock(&m);
            }
            break;
        case 2: /* a loop that also reads */
            if (i == 0) {
                pthread_mutex_lock(&m);
                STORE(x, 1);
                pthread_mutex_unlock(&m);
                STORE(y, 1);
            } else {
                while (pthread_mutex_trylock(&m)) {
                    if (LOAD(y) == 1) {
                        return;
                    }
                }
                pthread_mutex_unlock(&m);
            }
            break;
        case 3: /* the lock is never free again */
            if (i == 0) {
                pthread_mutex_lock(&m);
            } else {
                take(&m);
                pthread_mutex_unlock(&m);
            }
            break;
        case 4: /* two locks in opposite orders, the second one tried */
            pthread_mutex_lock(i ? &n : &m);
            if (pthread_mutex_trylock(i ? &m : &n) == 0) {
                pthread_mutex_unlock(i ? &m : &n);
            }
            pthread_mutex_unlock(i ? &n : &m);
            break;
        case 5: /* a flag lets the loop end */
            if (i == 0) {
                STORE(x, 1);
                take(&m);
                STORE(y, LOAD(y) + 1);
                pthread_mutex_unlock(&m);
            } else if (i == 1) {
                take(&m);
                STORE(y, LOAD(y) + 1);
                pthread_mutex_unlock(&m);
                (void)LOAD(x);
            } else {
                (void)LOAD(y);
            }
            break;
    }
}

#include "bodies.h"
