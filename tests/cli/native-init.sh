#!/bin/bash
# A lock can come before the initialisation or the destruction of its mutex, and a wait before that
# of its condition, in whatever order they were first seen.
. "$(dirname "$0")/../library.sh"

algorithms="none classic source optimal observers pop context context-source context-observers"

cat > mutex.c << 'END'
#include <pthread.h>
static pthread_mutex_t mutex;
static void *locks(void *unused) {
#ifdef TRY
    if (pthread_mutex_trylock(&mutex) == 0) {
        pthread_mutex_unlock(&mutex);
    }
#else
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
#endif
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, locks, NULL);
#if defined JOIN
    pthread_join(thread, NULL);
#endif
#ifdef DESTROY
    pthread_mutex_destroy(&mutex);
#else
    pthread_mutex_init(&mutex, NULL);
#endif
    return 0;
}
END
for algorithm in $algorithms; do
    for flags in "" -DTRY -DDESTROY "-DDESTROY -DTRY"; do
        checked 1 --json --algorithm=$algorithm $flags mutex.c
        json '.errors[0].kind == "misuse"'
        checked 0 --algorithm=$algorithm -DJOIN $flags mutex.c
    done
done

# Found with init first (the thread of the lock comes later) and last.
for first in lowest highest round-robin; do
    expect 1 "$heddle" check --first=$first mutex.c
done

cat > condition.c << 'END'
#include <pthread.h>
static pthread_mutex_t mutex;
static pthread_cond_t condition;
static int ready;
static void *waits(void *unused) {
    pthread_mutex_lock(&mutex);
    while (!ready) {
        pthread_cond_wait(&condition, &mutex);
    }
    pthread_mutex_unlock(&mutex);
    return unused;
}
int main(void) {
    pthread_t thread;
#ifdef EARLY
    pthread_cond_init(&condition, NULL);
#endif
    pthread_create(&thread, NULL, waits, NULL);
#ifndef EARLY
    CHANGE(&condition MORE);
#endif
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_mutex_unlock(&mutex);
    pthread_cond_signal(&condition);
    pthread_join(thread, NULL);
    pthread_cond_destroy(&condition);
#ifdef TWICE
    pthread_cond_destroy(&condition);
#endif
    return 0;
}
END
for algorithm in $algorithms; do
    checked 1 --json --algorithm=$algorithm '-DCHANGE=pthread_cond_init' '-DMORE=,NULL' condition.c
    json '.errors[0].kind == "misuse"'
    checked 1 --json --algorithm=$algorithm '-DCHANGE=pthread_cond_destroy' '-DMORE=' condition.c
    json '.errors[0].kind == "misuse"'
    checked 0 --algorithm=$algorithm -DEARLY condition.c
    checked 1 --algorithm=$algorithm -DEARLY -DTWICE condition.c
done

# Whether an unlock in error is one depends on the kind that an initialisation gives.
cat > kind.c << 'END'
#include <assert.h>
#include <errno.h>
#include <pthread.h>
static pthread_mutex_t mutex;
static void *unlocks(void *unused) {
    pthread_mutex_unlock(&mutex);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
#ifdef EARLY
    pthread_mutex_init(&mutex, &kind);
#endif
    pthread_create(&thread, NULL, unlocks, NULL);
#ifndef EARLY
    pthread_mutex_init(&mutex, &kind);
#endif
    pthread_join(thread, NULL);
    return 0;
}
END
for first in lowest highest; do
    expect 1 "$heddle" check --first=$first kind.c
    expect 0 "$heddle" check --first=$first -DEARLY kind.c
done

# An assignment initialises as well as a call does.
cat > assigned.c << 'END'
#include <pthread.h>
#include <string.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
static pthread_mutex_t mutex, local_kind;
static void *locks(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_mutex_destroy(&mutex);
    pthread_create(&thread, NULL, locks, NULL);
#if defined ASSIGN
    mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
#elif defined COPY
    mutex = local_kind;
#elif defined SECTION
    __VERIFIER_atomic_begin();
    mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    __VERIFIER_atomic_end();
#else
    memset(&mutex, 0, sizeof mutex);
#endif
    pthread_join(thread, NULL);
    return 0;
}
END
for algorithm in none source optimal pop observers; do
    for first in lowest highest; do
        for how in ASSIGN COPY SECTION MEMSET; do
            checked 1 --json --algorithm=$algorithm --first=$first -D$how assigned.c
            json '.errors[0].kind == "misuse"'
        done
    done
done

# A lock that somebody else holds, or a condition that threads wait for, is not initialised by a write over it
# either. What a thread holds itself it may save and put back.
cat > over.c << 'END'
#include <pthread.h>
#include <string.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static struct {
    int value;
    pthread_mutex_t mutex;
} whole = {0, PTHREAD_MUTEX_INITIALIZER};
static void *work(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_rwlock_rdlock(&rwlock);
    pthread_rwlock_unlock(&rwlock);
    pthread_mutex_lock(&whole.mutex);
    whole.value++;
    pthread_mutex_unlock(&whole.mutex);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
#if defined ASSIGN
    mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
#elif defined MEMSET
    memset(&mutex, 0, sizeof mutex);
#elif defined READERS
    rwlock = (pthread_rwlock_t)PTHREAD_RWLOCK_INITIALIZER;
#elif defined OWN
    pthread_mutex_lock(&whole.mutex);
    char saved[sizeof whole];
    memcpy(saved, &whole, sizeof whole);
    whole.value++;
    memcpy(&whole, saved, sizeof whole);
    pthread_mutex_unlock(&whole.mutex);
#endif
    pthread_join(thread, NULL);
    return 0;
}
END
for algorithm in none source optimal pop observers; do
    for first in lowest highest; do
        for how in ASSIGN MEMSET READERS; do
            checked 1 --json --algorithm=$algorithm --first=$first -D$how over.c
            json '.errors[0].kind == "misuse" and (.errors[0].message | startswith("a write over"))'
        done
        checked 0 --algorithm=$algorithm --first=$first -DOWN over.c
    done
done

# Abstract programs: the same.
for algorithm in $algorithms; do
    for program in 'I0 / l0 u0' 'l0 u0 / D0' 'D0 / k0' 'l0 W0.0 u0 / Ic0' 'l0 T0.0 u0 / Dc0'; do
        expect 1 "$heddle" check --json --algorithm=$algorithm --program="$program"
        json '.errors[0].kind == "misuse"'
    done
    expect 0 "$heddle" check --algorithm=$algorithm --program='I0 l0 u0 D0 I0 l0 u0'
done

