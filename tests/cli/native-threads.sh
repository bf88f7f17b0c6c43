#!/bin/bash
# Thread-specific values, cleanup handlers, C11 threads, names and scheduling; timed variants.
. "$(dirname "$0")/../library.sh"

finds() { # macro, program, kind, message
    expect 1 "$heddle" check --json -D$1 $2.c
    json ".errors[0].kind == \"$3\" and (.errors[0].message | test(\"$4\"))"
}

cat > keys.c << 'END'
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static pthread_key_t key, other;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int dropped;
static void drop(void *value) {
#ifndef RACE
    pthread_mutex_lock(&mutex);
#endif
    dropped++;
#ifndef RACE
    pthread_mutex_unlock(&mutex);
#endif
    free(value);
}
static void *use(void *unused) {
    assert(pthread_getspecific(key) == NULL);
    pthread_setspecific(key, malloc(1));
    pthread_setspecific(other, &key);
    assert(pthread_getspecific(key) != NULL && pthread_getspecific(other) == &key);
#ifdef EARLY
    free(pthread_getspecific(key));
#endif
    return unused;
}
int main(void) {
    pthread_t threads[2];
    pthread_key_create(&key, drop);
    pthread_key_create(&other, NULL);
    for (int i = 0; i < 2; i++) {
        pthread_create(&threads[i], NULL, use, NULL);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
    }
    assert(dropped == 2);
    assert(pthread_key_delete(key) == 0 && pthread_setspecific(key, &key) != 0);
    return 0;
}
END
expect 0 "$heddle" check --json keys.c
json '.verdict == "verified" and .executions == 2'
finds RACE keys data-race dropped
finds EARLY keys double-free free

cat > cleanup.c << 'END'
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int steps;
static void unlock(void *of) {
    steps++;
    pthread_mutex_unlock(of);
}
static void add(void *number) { steps += *(int *)number; }
static void *leaves(void *result) {
    static int ten = 10;
    pthread_mutex_lock(&mutex);
#ifndef FORGOTTEN
    pthread_cleanup_push(unlock, &mutex);
#endif
    pthread_cleanup_push(add, &ten);
    if (result) {
        pthread_exit(result);
    }
    pthread_cleanup_pop(0);
#ifndef FORGOTTEN
    pthread_cleanup_pop(1);
#endif
    return NULL;
}
int main(void) {
    pthread_t threads[2];
    void *result;
    pthread_create(&threads[0], NULL, leaves, &mutex);
    pthread_create(&threads[1], NULL, leaves, NULL);
    pthread_join(threads[0], &result);
    pthread_join(threads[1], NULL);
    assert(result == &mutex);
#ifdef WRONG
    assert(steps == 11);
#else
    assert(steps == 12);
#endif
    return 0;
}
END
expect 0 "$heddle" check --json cleanup.c
json '.verdict == "verified" and .executions == 2'
finds FORGOTTEN cleanup deadlock 'waits for mutex, held by T., which has ended'
finds WRONG cleanup assertion 'steps == 11'

cat > c11.c << 'END'
#include <assert.h>
#include <threads.h>
static mtx_t mutex;
static cnd_t changed;
static tss_t mine;
static int ready;
static int waits(void *unused) {
    tss_set(mine, &ready);
    mtx_lock(&mutex);
#ifdef NO_LOOP
    cnd_wait(&changed, &mutex);
#else
    while (!ready) {
        cnd_wait(&changed, &mutex);
    }
#endif
    mtx_unlock(&mutex);
    assert(tss_get(mine) == &ready);
    thrd_yield();
    return unused ? 8 : 7;
}
static int tries(void *unused) {
    if (mtx_trylock(&mutex) == thrd_success) {
        ready++;
#ifndef KEPT
        mtx_unlock(&mutex);
#endif
    }
    thrd_exit(unused != NULL);
}
int main(void) {
    thrd_t threads[2];
    int result;
    mtx_init(&mutex, mtx_plain | mtx_recursive);
    cnd_init(&changed);
    tss_create(&mine, NULL);
    assert(thrd_create(&threads[0], waits, NULL) == thrd_success);
    assert(thrd_create(&threads[1], tries, NULL) == thrd_success);
    mtx_lock(&mutex);
    mtx_lock(&mutex);
    ready = 1;
    cnd_signal(&changed);
    mtx_unlock(&mutex);
    mtx_unlock(&mutex);
    assert(thrd_join(threads[0], &result) == thrd_success && result == 7);
    assert(thrd_join(threads[1], NULL) == thrd_success);
    assert(!thrd_equal(thrd_current(), threads[0]));
    mtx_destroy(&mutex);
    cnd_destroy(&changed);
    return 0;
}
END
expect 0 "$heddle" check --json c11.c
json '.verdict == "verified"'
finds NO_LOOP c11 deadlock 'waits for a signal of changed'
finds KEPT c11 misuse 'destruction of mutex, a mutex that is locked'

cat > others.c << 'END'
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <string.h>
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t sem;
static int timed_out;
static void *holds(void *unused) {
    char name[16];
    cpu_set_t set;
    struct sched_param parameters;
    int policy, state;
    pthread_setname_np(pthread_self(), "holder");
    pthread_getname_np(pthread_self(), name, sizeof name);
    assert(strcmp(name, "holder") == 0);
    assert(pthread_getaffinity_np(pthread_self(), sizeof set, &set) == 0 && CPU_ISSET(0, &set));
    assert(pthread_getschedparam(pthread_self(), &policy, &parameters) == 0);
    assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state) == 0);
    pthread_testcancel();
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    sem_post(&sem);
    return unused;
}
int main(void) {
    struct timespec soon = {0};
    pthread_t thread;
    sem_init(&sem, 0, 0);
    pthread_create(&thread, NULL, holds, NULL);
    int result = pthread_rwlock_timedwrlock(&lock, &soon);
    if (result == 0) {
        pthread_rwlock_unlock(&lock);
    } else {
        assert(result == ETIMEDOUT);
    }
    if (sem_timedwait(&sem, &soon) != 0) {
        assert(errno == ETIMEDOUT);
        timed_out = 1;
    }
    pthread_join(thread, NULL);
#ifdef SURE
    assert(!timed_out);
#endif
#ifdef ASYNCHRONOUS
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
#endif
#ifdef CANCEL
    pthread_cancel(thread);
#endif
    return 0;
}
END
expect 0 "$heddle" check --json others.c
json '.verdict == "verified"'
expect 2 "$heddle" check -DASYNCHRONOUS others.c
says err 'unsupported: asynchronous cancellation'
expect 1 "$heddle" check -DCANCEL others.c
says out 'pthread_cancel of T1, a thread that was joined before'

cat > robust.c << 'END'
#include <assert.h>
#include <errno.h>
#include <pthread.h>
static pthread_mutex_t mutex;
static int shared;
static void *dies(void *unused) {
    pthread_mutex_lock(&mutex);
    shared++;
    return unused;
}
static void *locks(void *unused) {
    int result = pthread_mutex_lock(&mutex);
#ifdef UNCHECKED
    assert(result == 0);
#endif
    if (result == EOWNERDEAD) {
        assert(shared == 1);
#ifndef INCONSISTENT
        assert(pthread_mutex_consistent(&mutex) == 0);
#endif
    }
    pthread_mutex_unlock(&mutex);
    return unused;
}
int main(void) {
    pthread_t threads[2];
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
#ifndef STALLED
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
#endif
    pthread_mutex_init(&mutex, &attributes);
    pthread_create(&threads[0], NULL, dies, NULL);
    pthread_create(&threads[1], NULL, locks, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    int result = pthread_mutex_lock(&mutex);
#ifdef INCONSISTENT
    assert(result == EOWNERDEAD);
#else
    assert(result == 0 || result == EOWNERDEAD);
#endif
    return 0;
}
END
expect 0 "$heddle" check --json -k robust.c
json '.verdict == "verified" and .executions == 2'
finds UNCHECKED robust assertion 'result == 0'
finds INCONSISTENT robust assertion 'result == 130|result == EOWNERDEAD'
finds STALLED robust deadlock 'waits for mutex, held by T1, which has ended'

# A wait for a condition locks again: it too may find that the owner has ended, in time or not.
cat > left.c << 'END'
#include <assert.h>
#include <errno.h>
#include <pthread.h>
static pthread_mutex_t mutex;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;
static void *dies(void *unused) {
    if (pthread_mutex_lock(&mutex) == 0) {
        ready = 1;
        pthread_cond_signal(&changed);
    }
    return unused;
}
int main(void) {
    pthread_t thread;
    struct timespec end = {2000000000, 0};
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &attributes);
    assert(pthread_mutex_unlock(&mutex) == EPERM);
    pthread_create(&thread, NULL, dies, NULL);
#ifdef LOST
    pthread_join(thread, NULL);
    assert(pthread_mutex_lock(&mutex) == EOWNERDEAD);
    assert(pthread_cond_timedwait(&changed, &mutex, &end) == ENOTRECOVERABLE);
    assert(pthread_mutex_lock(&mutex) == ENOTRECOVERABLE);
    assert(pthread_mutex_unlock(&mutex) == EPERM);
#else
    int result = pthread_mutex_lock(&mutex);
    while (!ready) {
#ifdef TIMED
        result = pthread_cond_timedwait(&changed, &mutex, &end);
#else
        result = pthread_cond_wait(&changed, &mutex);
#endif
    }
    assert(result == EXPECTED);
    assert(pthread_mutex_consistent(&mutex) == 0);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
#endif
    return 0;
}
END
for options in "" -DTIMED --spurious; do
    expect 1 "$heddle" check -DEXPECTED=0 $options left.c
    says out 'result == EXPECTED'
    expect 0 "$heddle" check -DEXPECTED=EOWNERDEAD $options left.c
done
expect 0 "$heddle" check -DLOST left.c

cat > joins.c << 'END'
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
static sem_t sem;
static int done;
static void *work(void *unused) {
#ifdef BLOCKED
    sem_wait(&sem);
#endif
    done = 1;
    return unused;
}
int main(void) {
    pthread_t thread;
    struct timespec end = {2000000000, 0};
    sem_init(&sem, 0, 0);
    pthread_create(&thread, NULL, work, &done);
    void *result = NULL;
#ifdef TIMED
    int error = pthread_timedjoin_np(thread, &result, &end);
    assert(error == 0 || error == ETIMEDOUT);
#else
    (void)end;
    int error = pthread_tryjoin_np(thread, &result);
    assert(error == 0 || error == EBUSY);
#endif
    if (error == 0) {
        assert(done && result == &done);
    }
#ifdef SURE
    assert(error == 0);
#endif
#ifdef NEVER
    assert(error != 0);
#endif
    sem_post(&sem);
    if (error) {
        pthread_join(thread, NULL);
    }
    return 0;
}
END
expect 0 "$heddle" check joins.c
expect 0 "$heddle" check -DBLOCKED -DNEVER joins.c
finds SURE joins assertion 'error == 0'
finds NEVER joins assertion 'error != 0'
expect 0 "$heddle" check -DTIMED -DSURE joins.c
expect 0 "$heddle" check -DTIMED -DBLOCKED -DNEVER joins.c
expect 1 "$heddle" check -DTIMED -DSURE --timeouts=may joins.c
expect 1 "$heddle" check -DTIMED -DBLOCKED --timeouts=never joins.c

# libc's variable that says whether there are other threads.
cat > single.c << 'EOF'
#include <pthread.h>
#include <sys/single_threaded.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;
static void *count(void *unused) {
    int locked = !__libc_single_threaded;
    if (locked) pthread_mutex_lock(&mutex);
    counter++;
    if (locked) pthread_mutex_unlock(&mutex);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, count, NULL);
    count(NULL);
    pthread_join(thread, NULL);
    return counter - 2;
}
EOF
expect 0 "$heddle" check --exit-status single.c
says out 'explored: 2$'
expect 0 "$heddle" cc -o single single.c
expect 0 ./single
