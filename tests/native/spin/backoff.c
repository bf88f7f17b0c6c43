/* Threads that take several locks, and give back what they have if they cannot have the rest: N
 * philosophers of whom each needs two forks, or (LOCKS) three. Every order in which neighbours eat
 * is one execution: 2^N - 2 with two forks, for the orders around a table have no cycle, and N! if
 * everybody needs all three.
 *
 * INNER: the first lock is before the loop. BLOCKS: the last thread waits for both of its forks.
 * FORGOTTEN: it does not give the second one back. COUNTED: failures are counted. SEEN: main tries
 * to take a fork meanwhile. CROSSED: afterwards two threads take two other locks in opposite
 * orders. CLOCK: the second fork is waited for, for a second. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <time.h>
#ifndef N
#define N 2
#endif
#ifndef LOCKS
#define LOCKS N
#endif
#if defined SPIN
typedef pthread_spinlock_t lock;
#define TAKE pthread_spin_lock
#define TRY  pthread_spin_trylock
#define GIVE pthread_spin_unlock
#elif defined WRITE
typedef pthread_rwlock_t lock;
#define TAKE pthread_rwlock_wrlock
#define TRY  pthread_rwlock_trywrlock
#define GIVE pthread_rwlock_unlock
#elif defined SEMAPHORE
typedef sem_t lock;
#define TAKE sem_wait
#define TRY  sem_trywait
#define GIVE sem_post
#else
typedef pthread_mutex_t lock;
#define TAKE pthread_mutex_lock
#define TRY  try
#define GIVE pthread_mutex_unlock
static int try(lock *l) {
#ifdef CLOCK
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec++;
    return pthread_mutex_timedlock(l, &end);
#else
    return pthread_mutex_trylock(l);
#endif
}
#endif

static lock forks[LOCKS];
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int meals[N], failures, seen;

static void failed(void) {
#ifdef COUNTED
    __atomic_add_fetch(&failures, 1, __ATOMIC_SEQ_CST);
#endif
    sched_yield();
}

static void take(lock *first, lock *second, lock *third) {
#ifdef INNER
    TAKE(first);
    while (TRY(second)) {
        GIVE(first);
        failed();
        TAKE(first);
    }
#else
    for (;;) {
        TAKE(first);
        if (TRY(second) == 0) {
            if (!third || TRY(third) == 0) {
                return;
            }
            GIVE(second);
        }
        GIVE(first);
        failed();
    }
#endif
}

static void *eats(void *argument) {
    long i = (long)argument;
    lock *first = &forks[i % LOCKS], *second = &forks[(i + 1) % LOCKS];
    lock *third = LOCKS == N ? NULL : &forks[(i + 2) % LOCKS];
#ifdef BLOCKS
    if (i == N - 1) {
        TAKE(first);
        TAKE(second);
    } else
#endif
        take(first, second, third);
    meals[i]++;
    if (third) {
        GIVE(third);
    }
#ifdef FORGOTTEN
    if (i != N - 1)
#endif
        GIVE(second);
    GIVE(first);
#ifdef CROSSED
    pthread_mutex_lock(i ? &a : &b);
    pthread_mutex_lock(i ? &b : &a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
#endif
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < LOCKS; i++) {
#if defined SPIN
        pthread_spin_init(&forks[i], PTHREAD_PROCESS_PRIVATE);
#elif defined WRITE
        pthread_rwlock_init(&forks[i], NULL);
#elif defined SEMAPHORE
        sem_init(&forks[i], 0, 1);
#else
        pthread_mutex_init(&forks[i], NULL);
#endif
    }
    for (long i = 0; i < N; i++) {
        pthread_create(&threads[i], NULL, eats, (void *)i);
    }
#ifdef SEEN
    seen = TRY(&forks[0]);
    if (!seen) {
        GIVE(&forks[0]);
    }
#endif
    for (int i = 0; i < N; i++) {
        pthread_join(threads[i], NULL);
    }
    for (int i = 0; i < N; i++) {
        assert(meals[i] == 1);
    }
    assert(failures <= 2 && !seen);
    (void)a, (void)b;
    return 0;
}
