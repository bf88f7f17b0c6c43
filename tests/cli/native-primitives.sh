#!/bin/bash
# Semaphores, read-write locks, barriers and onces in C: the number of executions is that of the
# abstract program, bugs are found, right programs are verified, misuse is an error.
. "$(dirname "$0")/../library.sh"

algorithms="source optimal observers pop context"

# The operations of the one-line notation as C: THREADS lists the code of each thread.
cat > notation.c << 'END'
#include <pthread.h>
#include <semaphore.h>
static sem_t sem;
static pthread_rwlock_t rw0 = PTHREAD_RWLOCK_INITIALIZER, rw1 = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t bar;
static pthread_once_t once0 = PTHREAD_ONCE_INIT, once1 = PTHREAD_ONCE_INIT;
static _Atomic int x, y;
static void adds(void) { x++; }
static void nothing(void) {}
#define P sem_wait(&sem);
#define p sem_trywait(&sem);
#define V sem_post(&sem);
#define Rl0 pthread_rwlock_rdlock(&rw0);
#define Rl1 pthread_rwlock_rdlock(&rw1);
#define Wl0 pthread_rwlock_wrlock(&rw0);
#define Wl1 pthread_rwlock_wrlock(&rw1);
#define Ul0 pthread_rwlock_unlock(&rw0);
#define Rt0 if (pthread_rwlock_tryrdlock(&rw0) == 0) pthread_rwlock_unlock(&rw0);
#define Wt0 if (pthread_rwlock_trywrlock(&rw0) == 0) pthread_rwlock_unlock(&rw0);
#define B pthread_barrier_wait(&bar);
#define O0x pthread_once(&once0, adds);
#define O0 pthread_once(&once0, nothing);
#define O1 pthread_once(&once1, nothing);
#define wx1 x = 1;
#define wy1 y = 1;
#define rx (void)x;
#define ry (void)y;
#define THREAD(name, code) static void *name(void *unused) { code return unused; }
THREAD(a, A_CODE)
THREAD(b, B_CODE)
#ifdef C_CODE
THREAD(c, C_CODE)
#endif
#ifdef D_CODE
THREAD(d, D_CODE)
#endif
int main(void) {
    pthread_t thread;
    sem_init(&sem, 0, INITIAL);
    pthread_barrier_init(&bar, NULL, SIZE);
    pthread_create(&thread, NULL, a, NULL);
    pthread_create(&thread, NULL, b, NULL);
#ifdef C_CODE
    pthread_create(&thread, NULL, c, NULL);
#endif
#ifdef D_CODE
    pthread_create(&thread, NULL, d, NULL);
#endif
    return 0;
}
END
counts() { # executions of optimal, of pop, initial value or size, code of each thread
    local optimal=$1 pop=$2 flags=(-DINITIAL=$3 -DSIZE=$(($3 ? $3 : 1))) name=A
    shift 3
    for code in "$@"; do
        flags+=("-D${name}_CODE=$code")
        name=$(tr ABC BCD <<< $name)
    done
    for algorithm in optimal:$optimal pop:$pop; do
        checked 0 --json -k --algorithm=${algorithm%:*} "${flags[@]}" notation.c
        json ".executions == ${algorithm#*:} and .blocked == 0"
    done
}
counts 2 2 0 P V V
counts 4 4 0 P P V V
counts 6 6 1 'P V' 'P V' 'P V'
counts 24 24 2 'P V' 'P V' 'P V'
counts 3 3 1 V P 'P V'
counts 4 5 1 P V p
counts 4 6 1 'Rl0 Ul0' 'Rl0 Ul0' 'Wl0 Ul0'
counts 2 3 1 Rl0 Wl0 Rl0
counts 3 4 1 Wl0 Rl0 'Rl0 Ul0'
counts 3 3 1 'Rl0 Wl1' 'Rl1 Wl0'
counts 6 8 1 'Rl0 Ul0' Rt0 'Wl0 Ul0'
counts 6 12 1 Rl0 'Rl0 Ul0' Wt0
counts 1 1 2 B B
counts 1 1 3 B B B
counts 1 1 2 'wx1 B ry' 'wy1 B rx'
counts 6 6 2 B B B
counts 1 1 2 'for (int i = 0; i < 3; i++) B' 'for (int i = 0; i < 3; i++) B'
counts 3 3 1 O0 O0 O0
counts 2 2 1 'O0x rx' 'O0x rx'
counts 6 6 1 O0x O0x O0x rx
counts 3 3 1 'O0x O1' 'O1 O0x'

# ---- programs: right ones, and each with a bug ----

cat > buffer.c << 'END'
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
static sem_t items, room;
static int buffer[2], taken;
static void *produce(void *unused) {
    for (int i = 0; i < 3; i++) {
#ifndef NO_ROOM
        sem_wait(&room);
#endif
        buffer[i % 2] = i + 1;
#ifndef LOST
        sem_post(&items);
#endif
    }
    return unused;
}
int main(void) {
    pthread_t thread;
    sem_init(&items, 0, 0);
    sem_init(&room, 0, 2);
    pthread_create(&thread, NULL, produce, NULL);
    for (int i = 0; i < 3; i++) {
        sem_wait(&items);
        taken += buffer[i % 2];
        sem_post(&room);
    }
    pthread_join(thread, NULL);
    assert(taken == 6);
    sem_destroy(&items);
    sem_destroy(&room);
    return 0;
}
END
cat > turns.c << 'END'
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
static sem_t mutex, turn;
static int shared;
static void *second(void *unused) {
    sem_wait(&turn);
#ifndef RACE
    sem_wait(&mutex);
#endif
    assert(shared >= 1);
    shared++;
    sem_post(&mutex);
    return unused;
}
static void *third(void *unused) {
    int value;
    sem_wait(&mutex);
    shared++;
    sem_post(&mutex);
    sem_getvalue(&mutex, &value);
    assert(value == 0 || value == 1 || value == 2);
    return unused;
}
int main(void) {
    pthread_t threads[2];
    sem_init(&mutex, 0, 1);
    sem_init(&turn, 0, 0);
    pthread_create(&threads[0], NULL, second, NULL);
    pthread_create(&threads[1], NULL, third, NULL);
    sem_wait(&mutex);
    shared++;
    sem_post(&mutex);
    sem_post(&turn);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    assert(shared == 3);
    return 0;
}
END
cat > cache.c << 'END'
#include <assert.h>
#include <pthread.h>
static pthread_rwlock_t lock;
static int key, value;
static void *look(void *unused) {
#ifndef UNLOCKED
    pthread_rwlock_rdlock(&lock);
#endif
    assert(value == 10 * key);
#ifdef UPGRADE
    pthread_rwlock_wrlock(&lock);
    key++;
    pthread_rwlock_unlock(&lock);
#endif
#ifndef UNLOCKED
    pthread_rwlock_unlock(&lock);
#endif
    return unused;
}
static void *change(void *unused) {
    pthread_rwlock_wrlock(&lock);
    key++;
    value += 10;
    pthread_rwlock_unlock(&lock);
    return unused;
}
int main(void) {
    pthread_t threads[3];
    pthread_rwlock_init(&lock, NULL);
    pthread_create(&threads[0], NULL, look, NULL);
    pthread_create(&threads[1], NULL, look, NULL);
    pthread_create(&threads[2], NULL, change, NULL);
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
    }
    pthread_rwlock_destroy(&lock);
    return 0;
}
END
cat > tries.c << 'END'
#include <assert.h>
#include <pthread.h>
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int readers_seen, written;
static void *tries(void *unused) {
    if (pthread_rwlock_trywrlock(&lock) == 0) {
        written++;
        pthread_rwlock_unlock(&lock);
    } else {
        readers_seen = 1;
    }
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, tries, NULL);
#ifdef WRITER
    pthread_rwlock_wrlock(&lock);
#else
    pthread_rwlock_rdlock(&lock);
    assert(pthread_rwlock_tryrdlock(&lock) == 0);
    pthread_rwlock_unlock(&lock);
#endif
    pthread_rwlock_unlock(&lock);
    pthread_join(thread, NULL);
    assert(written + readers_seen == 1);
#ifdef SURE
    assert(written);
#endif
    return 0;
}
END
cat > phases.c << 'END'
#include <assert.h>
#include <pthread.h>
static pthread_barrier_t barrier;
static int part[2], sum, serials;
static void *work(void *number) {
    int i = number != NULL;
    part[i] = i + 1;
#ifndef FORGOTTEN
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
        serials++;
#ifdef FIRST_IS_SERIAL
        assert(i == 0);
#endif
    }
#endif
    assert(part[0] + part[1] == 3);
#ifdef THREE
    pthread_barrier_wait(&barrier);
#endif
    return NULL;
}
int main(void) {
    pthread_t threads[2];
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&threads[0], NULL, work, NULL);
    pthread_create(&threads[1], NULL, work, &sum);
#ifdef THREE
    pthread_barrier_wait(&barrier);
#endif
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    pthread_barrier_destroy(&barrier);
#ifndef FORGOTTEN
    assert(serials == 1);
#endif
    return 0;
}
END
# One user too many, which only some orders show.
cat > late.c << 'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static pthread_barrier_t barrier;
static _Atomic int flag, passed;
static void *use(void *number) {
    int bit = 1 << (long)number;
    if (bit == 4 && flag != 1) {
        return NULL;
    }
    pthread_barrier_wait(&barrier);
#ifdef MISSING
    assert(((passed |= bit) | bit) != (7 & ~MISSING));
#endif
    return NULL;
}
static void *change(void *unused) {
    flag = 1;
    flag = 2;
    return unused;
}
int main(void) {
    pthread_t threads[4];
    pthread_barrier_init(&barrier, NULL, 2);
    for (long i = 0; i < 3; i++) {
        pthread_create(&threads[i], NULL, use, (void *)i);
    }
    pthread_create(&threads[3], NULL, change, NULL);
    return 0;
}
END
for algorithm in pop optimal source observers context; do
    checked 0 --json --algorithm=$algorithm late.c
    [ $algorithm = context ] || json '.executions == 10'
    for missing in 1 2 4; do
        checked 1 --algorithm=$algorithm -DMISSING=$missing late.c
    done
done

cat > single.c << 'END'
#include <assert.h>
#include <pthread.h>
#include <threads.h>
static once_flag flag = ONCE_FLAG_INIT;
static pthread_once_t control = PTHREAD_ONCE_INIT;
static int made, done;
static void make(void) {
    made++;
#ifdef RECURSIVE
    pthread_once(&control, make);
#endif
}
static void finish(void) { done++; }
static void *use(void *unused) {
#ifdef BY_HAND
    if (!made) {
        make();
    }
#else
    pthread_once(&control, make);
#endif
    assert(made == 1);
    call_once(&flag, finish);
    assert(done == 1);
    return unused;
}
int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, use, NULL);
    pthread_create(&threads[1], NULL, use, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
END
for algorithm in $algorithms; do
    for program in buffer turns cache tries phases single; do
        checked 0 --json --algorithm=$algorithm $program.c
        json '.verdict == "verified"'
    done
    finds() { # macro, program, kind, message
        checked 1 --json --algorithm=$algorithm -D$1 $2.c
        json "(.errors[0].kind | test(\"$3\")) and (.errors[0].message | test(\"$4\"))"
    }
    finds LOST buffer deadlock 'waits for a post of items'
    finds NO_ROOM buffer data-race buffer
    finds RACE turns data-race shared
    finds UNLOCKED cache data-race 'key|value'
    finds UPGRADE cache deadlock 'waits to write-lock lock, held by T'
    finds SURE tries assertion written
    finds FORGOTTEN phases 'assertion|data-race' part
    finds FIRST_IS_SERIAL phases assertion 'i == 0'
    finds THREE phases 'assertion|data-race' part
    finds BY_HAND single data-race made
    finds RECURSIVE single deadlock 'waits for the end of the initialisation of control'
done

# ---- misuse ----

cat > misuse.c << 'END'
#include <pthread.h>
#include <semaphore.h>
static sem_t sem;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static void *other(void *unused) {
#ifdef TWO_MUTEXES
    pthread_mutex_lock(&second);
    pthread_cond_wait(&condition, &second);
#endif
#ifdef DESTROYED_SEMAPHORE
    sem_wait(&sem);
#elif defined OTHERS_LOCK
    pthread_rwlock_unlock(&lock);
#elif defined DESTROY_LOCKED
    pthread_rwlock_rdlock(&lock);
#elif defined DESTROY_BARRIER
    pthread_barrier_wait(&barrier);
#endif
    return unused;
}
int main(void) {
    pthread_t thread;
#ifndef UNINITIALISED
    sem_init(&sem, 0, 0);
#endif
    pthread_barrier_init(&barrier, NULL,
#ifdef ZERO
                         0
#else
                         2
#endif
    );
    pthread_create(&thread, NULL, other, NULL);
#ifdef UNINITIALISED
    sem_post(&sem);
#elif defined TWO_MUTEXES
    pthread_mutex_lock(&first);
    pthread_cond_wait(&condition, &first);
#elif defined DESTROYED_SEMAPHORE
    sem_destroy(&sem);
#elif defined OTHERS_LOCK
    pthread_rwlock_rdlock(&lock);
#elif defined DESTROY_LOCKED
    pthread_rwlock_destroy(&lock);
#elif defined DESTROY_BARRIER
    pthread_barrier_destroy(&barrier);
#endif
    pthread_join(thread, NULL);
    return 0;
}
END
misuse UNINITIALISED 'use of sem, a semaphore that was not initialised'
misuse DESTROYED_SEMAPHORE 'use of sem, a semaphore that was destroyed'
misuse OTHERS_LOCK 'unlock of lock, a read-write lock that the thread does not hold'
misuse DESTROY_LOCKED 'destruction of lock, a read-write lock that is locked|use of lock, a read-write lock that was destroyed'
misuse DESTROY_BARRIER 'destruction of barrier, a barrier that threads wait at|use of barrier, a barrier that was destroyed'
misuse ZERO 'pthread_barrier_init for 0 threads'
misuse TWO_MUTEXES 'wait with (first|second), a mutex that is not the one of (main|T1), which waits for the condition'

# One after the other is right: the first thread has been woken when the second one waits.
cat > mutexes.c << 'END'
#include <pthread.h>
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int stage;
static void *other(void *unused) {
    pthread_mutex_lock(&first);
    stage = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&first);
    pthread_mutex_lock(&second);
    stage++;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&second);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_mutex_lock(&first);
    pthread_mutex_lock(&second);
    pthread_create(&thread, NULL, other, NULL);
    while (!stage) pthread_cond_wait(&condition, &first);
    while (stage < 2) pthread_cond_wait(&condition, &second);
    pthread_join(thread, NULL);
    return 0;
}
END
for algorithm in $algorithms; do
    checked 0 --algorithm=$algorithm mutexes.c
done
