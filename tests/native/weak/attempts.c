/* Loops that try a semaphore or a read-write lock until they have it. WHAT says which program;
 * tests/cli/native-weak-tries.sh has each of them in the notation of abstract programs. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#define LOAD(x) atomic_load_explicit(&x, memory_order_relaxed)
#define STORE(x, value) atomic_store_explicit(&x, value, memory_order_relaxed)

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t semaphore;
static atomic_int x, y;

static void take_unit(void) {
    errno = EAGAIN; /* or the thread would look different after the first round */
    while (sem_trywait(&semaphore)) {
    }
}

static void body(int i) {
    switch (WHAT) {
        case 0: /* writers */
            while (pthread_rwlock_trywrlock(&lock)) {
            }
            STORE(x, i + 1);
            pthread_rwlock_unlock(&lock);
            break;
        case 1: /* a writer and readers */
            while (i == 0 ? pthread_rwlock_trywrlock(&lock) : pthread_rwlock_tryrdlock(&lock)) {
            }
            if (i == 0) {
                STORE(x, 1);
            } else {
                (void)LOAD(x);
            }
            pthread_rwlock_unlock(&lock);
            break;
        case 2: /* what was done before the post is seen */
            if (i == 0) {
                STORE(x, 1);
                sem_post(&semaphore);
            } else {
                take_unit();
                (void)LOAD(x);
            }
            break;
        case 3: /* a semaphore as a lock */
            take_unit();
            STORE(x, i + 1);
            sem_post(&semaphore);
            break;
        case 4: /* the second unit never comes */
            if (i == 0) {
                sem_post(&semaphore);
            } else {
                take_unit();
                take_unit();
            }
            break;
        case 5: /* a loop that also reads */
            if (i == 0) {
                pthread_rwlock_rdlock(&lock);
                STORE(x, 1);
                pthread_rwlock_unlock(&lock);
                STORE(y, 1);
            } else {
                while (pthread_rwlock_trywrlock(&lock)) {
                    if (LOAD(y) == 1) {
                        return;
                    }
                }
                pthread_rwlock_unlock(&lock);
            }
            break;
    }
}

#define BEGIN sem_init(&semaphore, 0, WHAT == 3)
#include "bodies.h"
