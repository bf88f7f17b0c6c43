/* Loops that poll plain memory under a mutex, a read-write lock or a semaphore, or the value of a semaphore. WHAT says which
 * program; tests/cli/native-weak-polling.sh has those with mutexes in the notation of abstract programs, where what is
 * done under a mutex is one read-modify-write. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#define LOAD(x) atomic_load_explicit(&x, memory_order_relaxed)
#define STORE(x, value) atomic_store_explicit(&x, value, memory_order_relaxed)

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static sem_t s;
static int v;
static atomic_int x;

static int get(void) {
    pthread_mutex_lock(&m);
    int value = v;
    pthread_mutex_unlock(&m);
    return value;
}

static void set(int value) {
    pthread_mutex_lock(&m);
    v = value;
    pthread_mutex_unlock(&m);
}

static void poll_until(int value) {
    while (get() != value) {
    }
}

static void poll_as_reader(void) {
    int value;
    do {
        pthread_rwlock_rdlock(&l);
        value = v;
        pthread_rwlock_unlock(&l);
    } while (!value);
}

static void poll_semaphore(void) {
    int value;
    do {
        sem_getvalue(&s, &value);
    } while (!value);
}

static void poll_with_unit(void) {
    int value;
    do {
        sem_wait(&s);
        value = v;
        sem_post(&s);
    } while (!value);
}

/* All units, so that nobody else has one. */
static void set_with_units(int units) {
    for (int k = 0; k < units; k++) {
        sem_wait(&s);
    }
    v = 1;
    for (int k = 0; k < units; k++) {
        sem_post(&s);
    }
}

static void body(int i) {
    int seen;
    switch (WHAT) {
        case 0: /* what was written before the flag was set is seen */
            if (i == 0) {
                STORE(x, 1);
                set(1);
            } else {
                poll_until(1);
                assert(LOAD(x) == 1);
            }
            break;
        case 1: /* it may be too late */
            if (i == 0) {
                set(1);
                set(2);
            } else {
                poll_until(1);
            }
            break;
        case 2: /* by turns */
            for (int round = 0; round < 2; round++) {
                poll_until(2 * round + i);
                set(2 * round + i + 1);
            }
            break;
        case 3: /* a loop that also reads */
            if (i == 0) {
                set(1);
                STORE(x, 1);
            } else {
                do {
                    seen = LOAD(x);
                } while (!get() && !seen);
            }
            break;
        case 4: /* the mutex is never free again */
            if (i == 0) {
                pthread_mutex_lock(&m);
                v = 1;
            } else {
                poll_until(1);
            }
            break;
        case 5: /* under a read-write lock */
            if (i == 0) {
                pthread_rwlock_wrlock(&l);
                v = 1;
                pthread_rwlock_unlock(&l);
            } else {
                poll_as_reader();
            }
            break;
        case 6: /* the value of a semaphore */
            if (i == 0) {
                sem_post(&s);
            } else {
                poll_semaphore();
            }
            break;
        case 7: /* a race in rounds that are left out */
            if (i == 0) {
                v = 1;
            } else {
                poll_until(1);
            }
            break;
        case 8: /* under a semaphore of one unit */
        case 9: /* of two */
            if (i == 0) {
                STORE(x, 1);
                set_with_units(WHAT - 7);
            } else {
                poll_with_unit();
                assert(LOAD(x) == 1);
            }
            break;
        case 10: /* whose unit is never given back */
            if (i == 0) {
                sem_wait(&s);
            } else {
                poll_with_unit();
            }
            break;
        case 11: /* a race with one unit of two */
            if (i == 0) {
                set_with_units(1);
            } else {
                poll_with_unit();
            }
            break;
    }
}

#define BEGIN sem_init(&s, 0, WHAT == 8 || WHAT == 10 ? 1 : WHAT == 9 || WHAT == 11 ? 2 : 0)
#include "bodies.h"
