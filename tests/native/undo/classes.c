/* One of each primitive whose changes going back has to undo, chosen by KIND: semaphores,
 * read-write locks, barriers, once, robust mutexes, keys. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#define SEMAPHORE 1
#define RWLOCK    2
#define BARRIER   3
#define ONCE      4
#define ROBUST    5
#define KEYS      6

#ifndef KIND
#define KIND SEMAPHORE
#endif

enum { THREADS = 3 };

static int plain;
static atomic_int seen;

#if KIND == SEMAPHORE
static sem_t room, filled;

static void *thread(void *argument) {
    sem_t own;
    sem_init(&own, 0, 0);
    if (argument) {
        sem_wait(&room);
        sem_post(&own);
        sem_wait(&own);
        plain++;
        sem_post(&room);
        sem_post(&filled);
    } else {
        sem_wait(&filled);
        int value;
        sem_getvalue(&filled, &value);
        seen = value;
        if (sem_trywait(&filled) == 0) {
            sem_post(&filled);
        }
    }
    sem_destroy(&own);
    return NULL;
}

static void prepare(void) {
    sem_init(&room, 0, 1);
    sem_init(&filled, 0, 0);
}
#elif KIND == RWLOCK
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *thread(void *argument) {
    pthread_rwlock_t own;
    pthread_rwlock_init(&own, NULL);
    pthread_rwlock_wrlock(&own);
    pthread_rwlock_unlock(&own);
    pthread_rwlock_destroy(&own);
    if (argument) {
        pthread_rwlock_rdlock(&lock);
        pthread_rwlock_rdlock(&lock);
        seen = plain;
        pthread_rwlock_unlock(&lock);
    } else {
        pthread_rwlock_wrlock(&lock);
        plain++;
    }
    pthread_rwlock_unlock(&lock);
    return NULL;
}

static void prepare(void) {
}
#elif KIND == BARRIER
static pthread_barrier_t barrier;

static void *thread(void *argument) {
    for (int i = 0; i < 2; i++) {
        if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
            plain++;
        }
    }
    seen = (int)(long)argument;
    return NULL;
}

static void prepare(void) {
    pthread_barrier_init(&barrier, NULL, THREADS);
}
#elif KIND == ONCE
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void initialise(void) {
    seen++;
    plain++;
}

static void *thread(void *argument) {
    pthread_once(&once, initialise);
    assert(plain == 1);
    seen = (int)(long)argument;
    return NULL;
}

static void prepare(void) {
}
#elif KIND == ROBUST
static pthread_mutex_t mutex;

static void *thread(void *argument) {
    int error = pthread_mutex_lock(&mutex);
    if (error == ENOTRECOVERABLE) {
        return NULL;
    }
    plain++;
    if (error == EOWNERDEAD && argument) {
        pthread_mutex_consistent(&mutex);
    } else if (!error && argument) {
        return NULL;
    }
    seen++;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void prepare(void) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &attributes);
}
#else
static pthread_key_t key, other;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void destroy(void *value) {
    pthread_mutex_lock(&mutex);
    plain += value != NULL;
    pthread_mutex_unlock(&mutex);
}

static void *thread(void *argument) {
    seen++;
    pthread_setspecific(key, argument ? &plain : NULL);
    if (!argument) {
        pthread_key_delete(other);
    }
    seen++;
    return NULL;
}

static void prepare(void) {
    pthread_key_create(&key, destroy);
    pthread_key_create(&other, destroy);
}
#endif

int main(void) {
    pthread_t threads[THREADS];
    prepare();
    for (long i = 0; i < THREADS; i++) {
        pthread_create(&threads[i], NULL, thread, (void *)i);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    return 0;
}
