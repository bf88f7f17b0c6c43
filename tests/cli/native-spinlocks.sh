#!/bin/bash
# Spin locks are explored like mutexes, and their misuse is an error.
. "$(dirname "$0")/../library.sh"

algorithms="none sleep-sets classic source optimal observers pop context context-source context-observers"

# The same program with either kind of lock; two spin locks share eight bytes.
cat > both.c << 'END'
#include <pthread.h>
#include <stdlib.h>
#ifdef SPIN
typedef pthread_spinlock_t lock;
#define CALL(what, lock) pthread_spin_##what(lock)
#define INIT(lock) pthread_spin_init(lock, PTHREAD_PROCESS_PRIVATE)
#else
typedef pthread_mutex_t lock;
#define CALL(what, lock) pthread_mutex_##what(lock)
#define INIT(lock) pthread_mutex_init(lock, NULL)
#endif
static lock *locks;
static int counter, other;
static void *adds(void *unused) {
    CALL(lock, &locks[0]);
    counter++;
    CALL(unlock, &locks[0]);
    CALL(lock, &locks[1]);
    other++;
    CALL(unlock, &locks[1]);
    return unused;
}
static void *tries(void *unused) {
    if (CALL(trylock, &locks[1]) == 0) {
        other++;
#ifdef CROSS
        CALL(lock, &locks[0]);
        CALL(unlock, &locks[0]);
#endif
        CALL(unlock, &locks[1]);
    }
    return unused;
}
int main(void) {
    pthread_t threads[3];
    locks = malloc(2 * sizeof *locks);
    INIT(&locks[0]);
    INIT(&locks[1]);
    for (int i = 0; i < 3; i++) {
        pthread_create(&threads[i], NULL, i < 2 ? adds : tries, NULL);
    }
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
    }
    CALL(destroy, &locks[0]);
    CALL(destroy, &locks[1]);
    free((void *)locks);
    return counter != 2;
}
END
for algorithm in ${algorithms#none}; do # there are too many interleavings
    for flags in "" -DCROSS; do
        checked 0 --json --algorithm=$algorithm $flags both.c
        wanted=$(jq '[.executions, .blocked, .events]' out)
        checked 0 --json --algorithm=$algorithm $flags -DSPIN both.c
        json "[.executions, .blocked, .events] == $wanted"
    done
done

# A deadlock, and who holds what; without the lock there is a data race.
cat > order.c << 'END'
#include <pthread.h>
static pthread_spinlock_t a, b;
static int shared;
static void *one(void *unused) {
#ifndef RACE
    pthread_spin_lock(&a);
    pthread_spin_lock(&b);
    shared++;
    pthread_spin_unlock(&b);
    pthread_spin_unlock(&a);
#else
    shared++;
#endif
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_spin_init(&a, 0);
    pthread_spin_init(&b, 0);
    pthread_create(&thread, NULL, one, NULL);
    pthread_spin_lock(&b);
#ifndef RACE
    pthread_spin_lock(&a);
    shared++;
    pthread_spin_unlock(&a);
#else
    shared++;
#endif
    pthread_spin_unlock(&b);
    pthread_join(thread, NULL);
    return 0;
}
END
for algorithm in $algorithms; do
    checked 1 --algorithm=$algorithm order.c
    says out 'main waits for a, held by T1'
    says out 'T1 waits for b, held by main'
    checked 1 --json --algorithm=$algorithm -DRACE order.c
    json '.errors[0].kind == "data-race"'
done

cat > misuse.c << 'END'
#include <pthread.h>
static pthread_spinlock_t lock;
static void *other(void *unused) {
#ifdef UNLOCK
    pthread_spin_unlock(&lock);
#endif
#ifdef DESTROYED
    pthread_spin_lock(&lock);
    pthread_spin_unlock(&lock);
#endif
    return unused;
}
int main(void) {
    pthread_t thread;
#ifndef UNINITIALISED
    pthread_spin_init(&lock, 0);
#endif
    pthread_create(&thread, NULL, other, NULL);
#ifdef DESTROYED
    pthread_spin_destroy(&lock);
#endif
#if !defined DESTROYED
    pthread_spin_lock(&lock);
#endif
#ifdef RELOCK
    pthread_spin_lock(&lock);
#endif
#ifdef DESTROY
    pthread_spin_destroy(&lock);
#endif
#ifdef INIT
    pthread_spin_init(&lock, 0);
#endif
    pthread_join(thread, NULL);
    return 0;
}
END
misuse UNLOCK 'unlock of lock, a spin lock that the thread does not hold'
misuse DESTROYED 'use of lock, a spin lock that was destroyed|destruction of lock, a spin lock that is locked'
misuse DESTROY 'destruction of lock, a spin lock that is locked'
misuse INIT 'initialisation of lock, a spin lock that is locked'
misuse UNINITIALISED 'use of lock, a spin lock that was not initialised'
misuse RELOCK 'main waits for lock, held by itself'

# Freeing a spin lock that somebody may still use.
cat > freed.c << 'END'
#include <pthread.h>
#include <stdlib.h>
static pthread_spinlock_t *lock;
static void *uses(void *unused) {
    pthread_spin_lock(lock);
    pthread_spin_unlock(lock);
    return unused;
}
int main(void) {
    pthread_t thread;
    lock = malloc(sizeof *lock);
    pthread_spin_init(lock, 0);
    pthread_create(&thread, NULL, uses, NULL);
#ifdef JOIN
    pthread_join(thread, NULL);
#endif
    free((void *)lock);
    return 0;
}
END
for algorithm in $algorithms; do
    checked 1 --algorithm=$algorithm freed.c
    says out 'freed'
    checked 0 --algorithm=$algorithm -DJOIN freed.c
done
