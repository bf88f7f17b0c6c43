/* Primitives beside atomics. WHAT says which; the orders of the atomics are relaxed, so that only
 * the primitives order them. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 2
#endif
#ifndef ORDERED
#define ORDERED 1
#endif
#define RELAXED memory_order_relaxed

static atomic_int x, y;
static int guarded;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_barrier_t barrier;
static sem_t semaphore;

#if WHAT == 0 /* an attempt to lock; one that fails orders nothing */
static void *body(void *number) {
    if (number == NULL) {
        atomic_store_explicit(&x, 1, RELAXED);
        pthread_mutex_lock(&mutex);
        atomic_store_explicit(&y, 1, RELAXED);
        pthread_mutex_unlock(&mutex);
    } else if (pthread_mutex_trylock(&mutex) == 0) {
        int seen = atomic_load_explicit(&y, RELAXED);
        assert(!seen || atomic_load_explicit(&x, RELAXED));
        pthread_mutex_unlock(&mutex);
    } else {
        assert(ORDERED || atomic_load_explicit(&x, RELAXED));
    }
    return NULL;
}
#elif WHAT == 1 /* a semaphore as a flag, and as a lock */
static void *body(void *number) {
    if (number == NULL) {
        guarded = 1;
        atomic_store_explicit(&x, 1, RELAXED);
        sem_post(&semaphore);
    } else {
        sem_wait(&semaphore);
        assert(guarded && atomic_load_explicit(&x, RELAXED));
        sem_post(&semaphore);
    }
    return NULL;
}
#elif WHAT == 2 /* a read-write lock: a writer, and readers */
static void *body(void *number) {
    if (number == NULL) {
        pthread_rwlock_wrlock(&lock);
        atomic_store_explicit(&x, 1, RELAXED);
        atomic_store_explicit(&y, 1, RELAXED);
        pthread_rwlock_unlock(&lock);
    } else if (N < 3 || pthread_rwlock_tryrdlock(&lock) == 0) {
        if (N < 3)
            pthread_rwlock_rdlock(&lock);
        assert(atomic_load_explicit(&y, RELAXED) == atomic_load_explicit(&x, RELAXED));
        pthread_rwlock_unlock(&lock);
    }
    return NULL;
}
#elif WHAT == 3 /* once */
static void initialise(void) {
    guarded++;
    atomic_store_explicit(&x, 1, RELAXED);
}
static void *body(void *unused) {
    pthread_once(&once, initialise);
    assert(guarded == 1 && atomic_load_explicit(&x, RELAXED) == 1);
    return unused;
}
#elif WHAT == 4 /* a barrier: store buffering, and all stores are visible */
static void *body(void *number) {
    atomic_store_explicit(number ? &x : &y, 1, RELAXED);
    pthread_barrier_wait(&barrier);
    assert(atomic_load_explicit(number ? &y : &x, RELAXED) == 1);
    return NULL;
}
#elif WHAT == 6 /* a condition: the flag is set under the mutex, or, if ORDERED is 0, after it */
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static void *body(void *number) {
    if (number == NULL) {
        guarded = 1;
        pthread_mutex_lock(&mutex);
        atomic_store_explicit(&y, 1, RELAXED);
        pthread_mutex_unlock(&mutex);
        if (!ORDERED)
            atomic_store_explicit(&x, 1, RELAXED);
        pthread_cond_signal(&condition);
        return NULL;
    }
    pthread_mutex_lock(&mutex);
    if (!atomic_load_explicit(&y, RELAXED)) {
        pthread_cond_wait(&condition, &mutex);
        assert(ORDERED || atomic_load_explicit(&x, RELAXED)); /* a signal orders nothing */
    }
    assert(guarded);
    pthread_mutex_unlock(&mutex);
    return NULL;
}
#elif WHAT == 7 /* a signal wakes one of those who wait, a broadcast all */
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static void *body(void *number) {
    pthread_mutex_lock(&mutex);
    if (number == NULL) {
        guarded = 1;
        if (ORDERED)
            pthread_cond_broadcast(&condition);
        else
            pthread_cond_signal(&condition);
    } else {
        while (!guarded)
            pthread_cond_wait(&condition, &mutex);
        atomic_fetch_add_explicit(&x, 1, RELAXED);
    }
    pthread_mutex_unlock(&mutex);
    return NULL;
}
#elif WHAT == 5 /* the value of a semaphore */
static void *body(void *number) {
    int value;
    sem_getvalue(&semaphore, &value);
    return number;
}
#endif

int main(void) {
    pthread_t t[N];
    sem_init(&semaphore, 0, 0);
    pthread_barrier_init(&barrier, NULL, N);
    for (size_t i = 0; i < N; i++)
        pthread_create(&t[i], 0, body, (void *)i);
    for (size_t i = 0; i < N; i++)
        pthread_join(t[i], 0);
    return 0;
}
