/* Polling under a semaphore or a lock that is tried: like under a mutex, taking it waits until what it
 * protects changes. Not if another thread may see that it is taken. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t semaphore;
#ifndef READY
#define READY int
#endif
static READY ready;
static int data;

#ifndef POLLERS
#define POLLERS 1
#endif
#ifndef UNITS
#define UNITS 1
#endif
#if defined MUTEX
#define TAKE (pthread_mutex_trylock(&mutex) == 0)
#define GIVE pthread_mutex_unlock(&mutex)
#define LOCK pthread_mutex_lock(&mutex)
#elif defined RWLOCK
#define TAKE (pthread_rwlock_tryrdlock(&rwlock) == 0)
#define GIVE pthread_rwlock_unlock(&rwlock)
#define LOCK pthread_rwlock_wrlock(&rwlock)
#elif defined TRYWAIT
#define TAKE (sem_trywait(&semaphore) == 0)
#else
#define TAKE (sem_wait(&semaphore) == 0)
#endif
#ifndef GIVE
#define GIVE sem_post(&semaphore)
#define LOCK sem_wait(&semaphore)
#endif
#ifndef BEFORE
#define BEFORE
#endif

static void *poller(void *unused) {
    for (;;) {
        int seen = 0;
        if (TAKE) {
            seen = ready;
            GIVE;
        }
        if (seen) {
            break;
        }
        sched_yield();
    }
    assert(data == 1);
    return unused;
}

int main(void) {
    pthread_t threads[POLLERS];
    sem_init(&semaphore, 0, UNITS);
    for (int i = 0; i < POLLERS; i++) {
        pthread_create(&threads[i], NULL, poller, NULL);
    }
    data = 1;
    BEFORE;
    LOCK;
#ifndef FORGOTTEN
    ready = 1;
#endif
    GIVE;
    for (int i = 0; i < POLLERS; i++) {
        pthread_join(threads[i], NULL);
    }
    return 0;
}
