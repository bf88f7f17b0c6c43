#!/bin/bash
# Waits with time-outs under --timeouts, spurious wake-ups, weak compare-exchange.
. "$(dirname "$0")/../library.sh"

cat > waits.c << 'END'
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t sem, release;
static int ready, timed_out;
static void *other(void *unused) {
#ifdef CONDITION
    pthread_mutex_lock(&mutex);
    ready = 1;
#ifndef LOST
    pthread_cond_signal(&changed);
#endif
    pthread_mutex_unlock(&mutex);
#elif defined SEMAPHORE
#ifndef LOST
    sem_post(&sem);
#endif
#elif defined MUTEX
    pthread_mutex_lock(&mutex);
    sem_wait(&release);
    pthread_mutex_unlock(&mutex);
#elif defined RWLOCK
    pthread_rwlock_rdlock(&lock);
    sem_wait(&release);
    pthread_rwlock_unlock(&lock);
#endif
    return unused;
}
int main(void) {
    pthread_t thread;
    struct timespec end = {2000000000, 0};
    int result = 0;
    sem_init(&sem, 0, 0);
    sem_init(&release, 0, 0);
    pthread_create(&thread, NULL, other, NULL);
#ifdef CONDITION
    pthread_mutex_lock(&mutex);
    if (!ready) {
        result = pthread_cond_timedwait(&changed, &mutex, &end);
    }
    pthread_mutex_unlock(&mutex);
#elif defined SEMAPHORE
    result = sem_timedwait(&sem, &end) ? errno : 0;
#elif defined MUTEX
    result = pthread_mutex_timedlock(&mutex, &end);
    if (!result) {
        pthread_mutex_unlock(&mutex);
    }
    sem_post(&release);
#elif defined RWLOCK
    result = pthread_rwlock_timedwrlock(&lock, &end);
    if (!result) {
        pthread_rwlock_unlock(&lock);
    }
    sem_post(&release);
#endif
    assert(result == 0 || result == ETIMEDOUT);
    timed_out = result == ETIMEDOUT;
    pthread_join(thread, NULL);
#ifdef IN_TIME
    assert(!timed_out);
#endif
#ifdef TOO_LATE
    assert(timed_out);
#endif
    return 0;
}
END
is() { # status, options
    local status=$1
    shift
    for algorithm in pop optimal source; do
        expect $status "$heddle" check --json -k --algorithm=$algorithm "$@" waits.c
    done
}
# What somebody gives in the end comes in time, if nobody hurries.
for what in CONDITION SEMAPHORE; do
    is 0 -D$what -DIN_TIME
    is 1 -D$what -DIN_TIME --timeouts=may
    is 0 -D$what -DLOST
    is 1 -D$what -DLOST -DIN_TIME
    is 1 -D$what -DLOST --timeouts=never
    json '.errors[0].kind == "deadlock"'
done
# The order of locks decides: both are tried.
for what in MUTEX RWLOCK; do
    is 0 -D$what
    json '.executions == 2'
    is 1 -D$what -DIN_TIME
    is 1 -D$what -DTOO_LATE
    is 1 -D$what --timeouts=never
    json '.errors[0].kind == "deadlock"'
done
expect 2 "$heddle" check --timeouts=often waits.c
says err 'expected idle, may or never'

# A replay needs the option.
expect 1 "$heddle" check --schedule=late -DCONDITION -DIN_TIME --timeouts=may waits.c
expect 1 "$heddle" replay late
says out 'timed_out'

# A loop around a wait that nobody ends; a loop that ends.
cat > loop.c << 'END'
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;
int main(void) {
    struct timespec end = {2000000000, 0};
    int tries = 0;
    pthread_mutex_lock(&mutex);
    while (!ready && tries < TRIES) {
        pthread_cond_timedwait(&changed, &mutex, &end);
        tries += TRIES > 0;
    }
    pthread_mutex_unlock(&mutex);
    return 0;
}
END
expect 0 "$heddle" check -DTRIES=5 loop.c
expect 3 "$heddle" check -DTRIES=1000000 loop.c
says out '100 time-outs in a row'

# Where time-outs come at any time, loops around tries wait; who has timed out sees it on the clock.
cat > tries.c << 'END'
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t sem;
static void *other(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    sem_post(&sem);
    return unused;
}
static int attempt(const struct timespec *end) {
#ifdef SEMAPHORE
    return sem_timedwait(&sem, end) ? errno : 0;
#elif defined MUTEX
    return pthread_mutex_timedlock(&mutex, end);
#elif defined RWLOCK
    return pthread_rwlock_timedwrlock(&lock, end);
#endif
}
int main(void) {
    pthread_t thread;
    struct timespec end = {2000000000, 0};
    sem_init(&sem, 0, 0);
    pthread_create(&thread, NULL, other, NULL);
#ifdef CLOCK
    struct timespec now;
    if (attempt(&end) == ETIMEDOUT) {
        clock_gettime(CLOCK_REALTIME, &now);
        assert(now.tv_sec >= end.tv_sec);
    }
#else
    while (attempt(&end)) {
    }
#endif
    return 0;
}
END
for what in SEMAPHORE MUTEX RWLOCK; do
    for algorithm in pop optimal source; do
        expect 0 "$heddle" check --algorithm=$algorithm --timeouts=may -D$what tries.c
    done
    for timeouts in may idle; do
        expect 0 "$heddle" check --timeouts=$timeouts -D$what -DCLOCK tries.c
    done
done
cat > own.c << 'END'
#include <assert.h>
#include <errno.h>
#include <pthread.h>
int main(void) {
    pthread_mutex_t mutex;
    pthread_mutexattr_t attributes;
    pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
    struct timespec end = {2000000000, 0};
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&mutex, &attributes);
    pthread_mutex_lock(&mutex);
    assert(pthread_mutex_timedlock(&mutex, &end) == EDEADLK);
    pthread_rwlock_wrlock(&lock);
    assert(pthread_rwlock_timedrdlock(&lock, &end) == EDEADLK);
    return 0;
}
END
for timeouts in may idle never; do
    expect 0 "$heddle" check --timeouts=$timeouts own.c
done

cat > spurious.c << 'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;
static _Atomic int x;
static void *sets(void *unused) {
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    return unused;
}
int main(void) {
    pthread_t thread;
    int expected = 0, swapped;
    pthread_create(&thread, NULL, sets, NULL);
    pthread_mutex_lock(&mutex);
    REPEAT (!ready) {
        pthread_cond_wait(&changed, &mutex);
    }
    assert(ready);
    pthread_mutex_unlock(&mutex);
    swapped = atomic_compare_exchange_weak(&x, &expected, 1);
    REPEAT (!swapped) {
        expected = 0;
        swapped = atomic_compare_exchange_weak(&x, &expected, 1);
    }
#ifdef ONCE
    swapped = atomic_compare_exchange_weak(&x, &swapped, 2);
    assert(swapped);
#endif
    assert(x);
    pthread_join(thread, NULL);
    return 0;
}
END
for algorithm in pop optimal source; do
    for options in "" --weak-cas "--spurious --weak-cas"; do
        expect 0 "$heddle" check --algorithm=$algorithm -DREPEAT=while $options spurious.c
    done
    expect 0 "$heddle" check --algorithm=$algorithm -DREPEAT=if spurious.c
    expect 1 "$heddle" check --algorithm=$algorithm -DREPEAT=if --spurious spurious.c
    says out 'assertion failed: ready'
    expect 0 "$heddle" check --algorithm=$algorithm -DREPEAT=while -DONCE spurious.c
    expect 1 "$heddle" check --algorithm=$algorithm -DREPEAT=while -DONCE --weak-cas spurious.c
    says out 'assertion failed: swapped'
done
