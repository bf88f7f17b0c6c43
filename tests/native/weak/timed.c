/* Waits that time out, and relaxed atomics. By default they do only if nobody else can continue. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define RELAXED memory_order_relaxed

static atomic_int x, y, late;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t semaphore;

static const struct timespec *after(int seconds) {
    static _Thread_local struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    time.tv_sec += seconds;
    return &time;
}

#if WHAT == 0 /* one unit, and three who want it; the first would wait forever */
enum { THREADS = 3 };
static void body(long number) {
    if ((number ? sem_timedwait(&semaphore, after(1)) : sem_wait(&semaphore)) == 0)
        atomic_fetch_add_explicit(&x, 1, RELAXED);
    else
        atomic_fetch_add_explicit(&late, 1, RELAXED);
}
#elif WHAT == 1 /* a mutex that is never given back */
enum { THREADS = 3 };
static void body(long number) {
    if (pthread_mutex_timedlock(&mutex, after(1)) == 0)
        atomic_store_explicit(&x, (int)number, RELAXED);
    else
        atomic_store_explicit(&y, 1, RELAXED);
}
#elif WHAT == 2 /* the signal may come before the wait; under rc11 the old value may be read after it */
enum { THREADS = 2 };
static void body(long number) {
    if (number) {
        atomic_store_explicit(&x, 1, RELAXED);
        pthread_cond_signal(&condition);
        return;
    }
    pthread_mutex_lock(&mutex);
    while (!atomic_load_explicit(&x, RELAXED)) {
        if (pthread_cond_timedwait(&condition, &mutex, after(1)) == ETIMEDOUT)
            break;
    }
    pthread_mutex_unlock(&mutex);
}
#elif WHAT == 3 /* another thread waits in a loop for who times out */
enum { THREADS = 2 };
static void body(long number) {
    if (number) {
        while (!atomic_load_explicit(&x, RELAXED)) {
        }
        return;
    }
    pthread_mutex_lock(&mutex);
    int result = pthread_cond_timedwait(&condition, &mutex, after(1));
    assert(result == ETIMEDOUT);
    atomic_store_explicit(&x, 1, RELAXED);
    pthread_mutex_unlock(&mutex);
}
#elif WHAT == 4
enum { THREADS = 3 };
static void body(long number) {
    int result = number ? pthread_rwlock_timedwrlock(&lock, after(1))
                        : pthread_rwlock_timedrdlock(&lock, after(1));
    if (result == 0)
        atomic_store_explicit(&x, 1, RELAXED);
}
#elif WHAT == 5 /* nobody wakes */
enum { THREADS = 2 };
static void body(long number) {
    struct timespec second = {.tv_sec = 1};
    if (number) {
        atomic_store_explicit(&x, 1, RELAXED);
        return;
    }
    while (!atomic_load_explicit(&x, RELAXED)) {
        if (syscall(SYS_futex, &x, FUTEX_WAIT, 0, &second, NULL, 0) && errno == ETIMEDOUT)
            return;
    }
}
#elif WHAT == 6 /* the value of a semaphore */
enum { THREADS = 3 };
static void body(long number) {
    int value;
    if (number) {
        sem_post(&semaphore);
    } else {
        sem_getvalue(&semaphore, &value);
        assert(value >= 1 && value <= 3);
    }
}
#elif WHAT == 7 /* what happens after a time-out lets others continue, one of whom would time out as well */
enum { THREADS = 3 };
static void body(long number) {
    if (number == 0) {
        atomic_load_explicit(&x, RELAXED);
        sem_timedwait(&semaphore, after(6));
        atomic_store_explicit(&y, 1, RELAXED);
    } else if (number == 1) {
        sem_wait(&semaphore);
        sem_timedwait(&semaphore, after(1));
        atomic_store_explicit(&x, 1, RELAXED);
        sem_post(&semaphore);
        sem_post(&semaphore);
    } else {
        sem_wait(&semaphore);
        atomic_load_explicit(&x, RELAXED);
        sem_post(&semaphore);
    }
}
#elif WHAT == 8 /* a join that times out, because the other thread waits for who joins it */
enum { THREADS = 1 };
static void body(long number) {
    while (!atomic_load_explicit(&x, memory_order_acquire)) {
    }
    assert(number == 0 && atomic_load_explicit(&late, RELAXED) == ETIMEDOUT);
}
#endif

static void *start(void *number) {
    body((long)number);
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    sem_init(&semaphore, 0, 1);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, start, (void *)i);
#if WHAT == 8
    atomic_store_explicit(&late, pthread_timedjoin_np(threads[0], NULL, after(1)), RELAXED);
    atomic_store_explicit(&x, 1, memory_order_release);
#endif
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
