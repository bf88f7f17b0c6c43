#!/bin/bash
# Copies of synchronisation objects: of one that nobody uses they are like it; one of a lock that
# was held cannot be used, in every order that makes one.
. "$(dirname "$0")/../library.sh"

cat > copies.c << 'END'
#define _GNU_SOURCE
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
static struct all {
    int x;
    pthread_mutex_t mutex;
    pthread_rwlock_t rwlock;
    pthread_spinlock_t spin;
    sem_t sem;
    pthread_once_t once;
    pthread_barrier_t barrier;
} first = {.mutex = PTHREAD_MUTEX_INITIALIZER,
           .rwlock = PTHREAD_RWLOCK_INITIALIZER,
           .once = PTHREAD_ONCE_INIT},
  second;
static int calls;
static void called(void) { calls++; }
static void take(struct all *a) {
    pthread_mutex_lock(&a->mutex);
    pthread_rwlock_rdlock(&a->rwlock);
    pthread_spin_lock(&a->spin);
    a->x++;
    pthread_spin_unlock(&a->spin);
    pthread_rwlock_unlock(&a->rwlock);
    pthread_mutex_unlock(&a->mutex);
}
static void begin(void) {
    pthread_spin_init(&first.spin, 0);
    sem_init(&first.sem, 0, 2);
    pthread_barrier_init(&first.barrier, NULL, 2);
}
static void *use(void *unused) {
#if CASE == 1 /* everything of a copy works, and has the values of the original */
    pthread_once(&second.once, called);
    sem_wait(&second.sem);
    take(&second);
    pthread_barrier_wait(&second.barrier);
    sem_post(&first.sem);
    assert(second.x == 2 && calls == 1);
#elif CASE == 2 || CASE == 3 /* another thread holds it, or not, when it is copied */
    pthread_mutex_lock(&first.mutex);
    first.x++;
    pthread_mutex_unlock(&first.mutex);
#elif CASE == 4 /* it has been posted, or not */
    sem_post(&first.sem);
#elif CASE >= 10
    take(&second);
#endif
    return unused;
}
int main(void) {
    pthread_t thread;
    begin();
#if CASE == 1
    pthread_once(&first.once, called);
    second = first;
    pthread_create(&thread, NULL, use, NULL);
    int value;
    sem_wait(&second.sem);
    sem_getvalue(&second.sem, &value);
    assert(value <= 1);
    take(&second);
    pthread_barrier_wait(&second.barrier);
    sem_getvalue(&second.sem, &value);
    assert(value == 0);
#elif CASE == 2
    pthread_create(&thread, NULL, use, NULL);
    memcpy(&second.mutex, &first.mutex, sizeof second.mutex);
    pthread_mutex_lock(&second.mutex);
#elif CASE == 3 /* under its own lock; the copy is made anew */
    pthread_create(&thread, NULL, use, NULL);
    pthread_mutex_lock(&first.mutex);
    second = first;
    pthread_mutex_unlock(&first.mutex);
#ifdef INITIALISED
    pthread_mutex_init(&second.mutex, NULL);
#elif defined ASSIGNED
    second.mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
#elif defined PUT_BACK
    pthread_mutex_lock(&first.mutex);
    first.mutex = second.mutex;
    pthread_mutex_unlock(&first.mutex);
    pthread_mutex_init(&second.mutex, NULL);
#endif
    pthread_mutex_lock(&second.mutex);
    pthread_mutex_unlock(&second.mutex);
#elif CASE == 4
    pthread_create(&thread, NULL, use, NULL);
    second.sem = first.sem;
    int value;
    sem_getvalue(&second.sem, &value);
    assert(value != EXCLUDED);
#elif CASE == 5 /* a copy of a copy, on the heap, moved */
    pthread_mutex_lock(&first.mutex);
    struct all *block = malloc(sizeof *block);
    *block = first;
    block = realloc(block, 2000);
    pthread_mutex_unlock(&first.mutex);
    second = *block;
    free(block);
    pthread_create(&thread, NULL, use, NULL);
    pthread_mutex_trylock(&second.mutex);
#elif CASE == 10
    pthread_mutex_lock(&first.mutex);
#elif CASE == 11
    pthread_rwlock_rdlock(&first.rwlock);
#elif CASE == 12
    pthread_rwlock_wrlock(&first.rwlock);
#elif CASE == 13
    pthread_spin_lock(&first.spin);
#endif
#if CASE >= 10
    second = first;
#ifdef SECTION
    heddle_atomic_begin();
    pthread_mutex_lock(&second.mutex);
    pthread_mutex_unlock(&second.mutex);
    heddle_atomic_end();
#endif
    pthread_create(&thread, NULL, use, NULL);
#endif
    pthread_join(thread, NULL);
    return 0;
}
END
copied='use of second\.[a-z]*, a (mutex|spin lock|read-write lock) that is a copy of one that was locked'
build() { expect 0 "$heddle" cc "$@" -o copies copies.c; }
build -DCASE=1
for algorithm in pop optimal observers source; do
    expect 0 "$heddle" check --algorithm=$algorithm copies
done
HEDDLE_CHECK_UNDO=1 expect 0 "$heddle" check copies
expect 2 "$heddle" check --model=rc11 copies
says err 'unsupported under a weak model: a copy of a semaphore'
build -DCASE=2
for options in pop "pop --first=highest" optimal "observers --first=highest" source none; do
    expect 1 "$heddle" check --algorithm=$options copies
    says out "$copied"
done
for flag in INITIALISED ASSIGNED PUT_BACK; do
    build -DCASE=3 -D$flag
    expect 0 "$heddle" check copies
done
for case in 3 5 10 11 12 13; do
    build -DCASE=$case
    expect 1 "$heddle" check copies
    says out "$copied"
done
build -DCASE=10 -DSECTION
expect 1 "$heddle" check copies
build -DCASE=14 -DSECTION
expect 0 "$heddle" check copies
build -DCASE=4 -DEXCLUDED=0
HEDDLE_CHECK_UNDO=1 expect 0 "$heddle" check --json copies
json '.executions == 2'
for value in 2 3; do
    build -DCASE=4 -DEXCLUDED=$value
    expect 1 "$heddle" check copies
done

# A loop that copies what it waits for, under its lock.
cat > polls.c << 'END'
#include <pthread.h>
static struct shared {
    pthread_mutex_t mutex;
    int ready;
} shared = {PTHREAD_MUTEX_INITIALIZER, 0};
static void *set(void *unused) {
    pthread_mutex_lock(&shared.mutex);
    shared.ready = 1;
    pthread_mutex_unlock(&shared.mutex);
    return unused;
}
int main(void) {
    pthread_t thread;
    struct shared seen;
    pthread_create(&thread, NULL, set, NULL);
    do {
        pthread_mutex_lock(&shared.mutex);
        seen = shared;
        pthread_mutex_unlock(&shared.mutex);
    } while (!seen.ready);
    return pthread_join(thread, NULL);
}
END
expect 0 "$heddle" check --json polls.c
json '.executions == 1'
