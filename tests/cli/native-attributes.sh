#!/bin/bash
# Attribute objects and places to jump to: libc writes them, in the program's memory, which is put back, raced on and
# checked like any other.
. "$(dirname "$0")/../library.sh"

# The attributes change after a step that is reversed: going back must bring back what they were.
cat > kept.c << 'END'
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <time.h>
static pthread_attr_t thread;
static pthread_mutexattr_t mutex;
static pthread_condattr_t condition;
static pthread_rwlockattr_t rwlock;
static pthread_barrierattr_t barrier;
static int steps, value;
static clockid_t clock_id;
static size_t size;
static void *other(void *none) {
    __atomic_fetch_add(&steps, 1, __ATOMIC_SEQ_CST);
    return none;
}
#define UNCHANGED(kind, what, of, initial, changed)                \
    assert(value == 0);                                            \
    pthread_##kind##_get##what(&of, &value);                       \
    assert(value == initial);                                      \
    assert(pthread_##kind##_set##what(&of, changed) == 0);         \
    pthread_##kind##_get##what(&of, &value);                       \
    assert(value == changed);                                      \
    value = 0;
int main(void) {
    pthread_t id;
    pthread_attr_init(&thread);
    pthread_mutexattr_init(&mutex);
    pthread_condattr_init(&condition);
    pthread_rwlockattr_init(&rwlock);
    pthread_barrierattr_init(&barrier);
    pthread_create(&id, NULL, other, NULL);
    for (int i = 0; i < 2; i++) {
        __atomic_fetch_add(&steps, 1, __ATOMIC_SEQ_CST);
    }
    UNCHANGED(attr, detachstate, thread, PTHREAD_CREATE_JOINABLE, PTHREAD_CREATE_DETACHED)
    UNCHANGED(attr, schedpolicy, thread, SCHED_OTHER, SCHED_FIFO)
    UNCHANGED(attr, inheritsched, thread, PTHREAD_INHERIT_SCHED, PTHREAD_EXPLICIT_SCHED)
    UNCHANGED(mutexattr, type, mutex, PTHREAD_MUTEX_DEFAULT, PTHREAD_MUTEX_RECURSIVE)
    UNCHANGED(mutexattr, robust, mutex, PTHREAD_MUTEX_STALLED, PTHREAD_MUTEX_ROBUST)
    UNCHANGED(mutexattr, protocol, mutex, PTHREAD_PRIO_NONE, PTHREAD_PRIO_INHERIT)
    UNCHANGED(mutexattr, pshared, mutex, PTHREAD_PROCESS_PRIVATE, PTHREAD_PROCESS_SHARED)
    UNCHANGED(condattr, pshared, condition, PTHREAD_PROCESS_PRIVATE, PTHREAD_PROCESS_SHARED)
    UNCHANGED(rwlockattr, pshared, rwlock, PTHREAD_PROCESS_PRIVATE, PTHREAD_PROCESS_SHARED)
    UNCHANGED(rwlockattr, kind_np, rwlock, PTHREAD_RWLOCK_DEFAULT_NP, PTHREAD_RWLOCK_PREFER_WRITER_NP)
    UNCHANGED(barrierattr, pshared, barrier, PTHREAD_PROCESS_PRIVATE, PTHREAD_PROCESS_SHARED)
    pthread_condattr_getclock(&condition, &clock_id);
    assert(clock_id == CLOCK_REALTIME);
    pthread_condattr_setclock(&condition, CLOCK_MONOTONIC);
    pthread_attr_getstacksize(&thread, &size);
    assert(size != 1 << 20);
    pthread_attr_setstacksize(&thread, 1 << 20);
    assert(pthread_getconcurrency() == 0 && pthread_setconcurrency(3) == 0);
    assert(pthread_getconcurrency() == 3 && pthread_setconcurrency(-1) != 0);
    __atomic_fetch_add(&steps, 1, __ATOMIC_SEQ_CST);
    pthread_join(id, NULL);
    pthread_attr_destroy(&thread);
}
END
for algorithm in pop optimal none; do
    expect 0 "$heddle" check --json --algorithm=$algorithm kept.c
done
expect 0 "$heddle" check --json kept.c
json '.executions == 4' # the other thread's step is before, between or after three

# Whoever uses attributes reads them, and they are memory like any other.
cat > used.c << 'END'
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
static pthread_mutexattr_t *attributes;
static pthread_attr_t thread_attributes;
static pthread_mutex_t mutex;
static pthread_rwlock_t lock;
static pthread_barrier_t barrier;
static pthread_cond_t condition;
static union {
    pthread_rwlockattr_t rwlock;
    pthread_barrierattr_t barrier;
    pthread_condattr_t condition;
} any;
static void *nothing(void *none) { return none; }
static void *other(void *none) {
#ifdef THREAD
    pthread_t id;
    pthread_create(&id, &thread_attributes, nothing, NULL);
    pthread_join(id, NULL);
#elif defined RWLOCK
    pthread_rwlock_init(&lock, &any.rwlock);
#elif defined BARRIER
    pthread_barrier_init(&barrier, &any.barrier, 2);
#elif defined CONDITION
    pthread_cond_init(&condition, &any.condition);
#else
    pthread_mutex_init(&mutex, attributes);
#endif
    return none;
}
int main(void) {
    pthread_t id;
    attributes = malloc(sizeof *attributes);
    pthread_mutexattr_init(attributes);
    pthread_attr_init(&thread_attributes);
#ifdef RWLOCK
    pthread_rwlockattr_init(&any.rwlock);
#elif defined BARRIER
    pthread_barrierattr_init(&any.barrier);
#elif defined CONDITION
    pthread_condattr_init(&any.condition);
#endif
    pthread_create(&id, NULL, other, NULL);
#ifdef RIGHT
    pthread_join(id, NULL);
#endif
#ifdef THREAD
    pthread_attr_setstacksize(&thread_attributes, 1 << 20);
#elif defined RWLOCK
    pthread_rwlockattr_setpshared(&any.rwlock, PTHREAD_PROCESS_SHARED);
#elif defined BARRIER
    pthread_barrierattr_setpshared(&any.barrier, PTHREAD_PROCESS_SHARED);
#elif defined CONDITION
    pthread_condattr_setpshared(&any.condition, PTHREAD_PROCESS_SHARED);
#elif defined FREED
    free(attributes);
#else
    pthread_mutexattr_settype(attributes, PTHREAD_MUTEX_RECURSIVE);
#endif
#ifndef RIGHT
    pthread_join(id, NULL);
#endif
}
END
for what in MUTEX THREAD RWLOCK BARRIER CONDITION; do
    expect 0 "$heddle" check -DRIGHT -D$what used.c
    expect 1 "$heddle" check -D$what used.c
    says out 'data race'
done
expect 0 "$heddle" check -DRIGHT -DFREED used.c
expect 1 "$heddle" check -k -DFREED used.c
says out 'use after free'

# What threads and mutexes are like.
cat > like.c << 'END'
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>
static pthread_mutex_t usual = PTHREAD_MUTEX_INITIALIZER, high;
static void *other(void *none) {
    pthread_attr_t attributes;
    void *stack;
    size_t size;
    int state;
    clockid_t clock;
    struct timespec now;
    assert(pthread_getattr_np(pthread_self(), &attributes) == 0);
    pthread_attr_getstack(&attributes, &stack, &size);
    assert((char *)&size >= (char *)stack && (char *)&size < (char *)stack + size);
    pthread_attr_getdetachstate(&attributes, &state);
    assert(state == (none ? PTHREAD_CREATE_JOINABLE : PTHREAD_CREATE_DETACHED));
    pthread_attr_destroy(&attributes);
    assert(pthread_getcpuclockid(pthread_self(), &clock) == 0 && clock_gettime(clock, &now) == 0);
    return none;
}
int main(void) {
    pthread_t id;
    pthread_attr_t detached;
    pthread_mutexattr_t attributes;
    cpu_set_t first;
    int ceiling;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_PROTECT);
    pthread_mutexattr_setprioceiling(&attributes, 7);
    pthread_mutex_init(&high, &attributes);
    assert(pthread_mutex_getprioceiling(&high, &ceiling) == 0 && ceiling == 7);
    assert(pthread_mutex_getprioceiling(&usual, &ceiling) == EINVAL);
    pthread_mutex_lock(&high);
    pthread_mutex_unlock(&high);
    CPU_ZERO(&first);
    CPU_SET(0, &first);
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    assert(pthread_attr_setaffinity_np(&detached, sizeof first, &first) == 0);
    pthread_create(&id, &detached, other, NULL);
    pthread_attr_destroy(&detached);
    pthread_create(&id, NULL, other, &high);
    pthread_join(id, NULL);
    other(&high);
}
END
expect 0 "$heddle" check like.c

# A place to jump to that is filled in twice: going back must bring back the first one. With PADDING, between them lie
# more steps than are taken back as one.
cat > jumps.c << 'END'
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
static jmp_buf place;
static int steps, padding, where;
static void *other(void *none) {
    __atomic_fetch_add(&steps, 1, __ATOMIC_SEQ_CST);
    __atomic_fetch_add(&steps, 1, __ATOMIC_SEQ_CST);
    return none;
}
static int step(void) {
    for (int i = 0; i < PADDING; i++) {
        __atomic_fetch_add(&padding, 1, __ATOMIC_SEQ_CST);
    }
    return __atomic_fetch_add(&steps, 1, __ATOMIC_SEQ_CST);
}
static void first(void) {
    where = 1;
    if (setjmp(place) == 0 && step() > 0) {
        longjmp(place, 1);
    }
    assert(where == 1);
}
static void second(void) {
    where = 2;
    if (setjmp(place) == 0 && step() == 7) {
        longjmp(place, 1);
    }
    assert(where == 2);
}
int main(void) {
    pthread_t id;
    pthread_create(&id, NULL, other, NULL);
    first();
    second();
    pthread_join(id, NULL);
}
END
for padding in 0 30; do
    expect 0 "$heddle" check --json -DPADDING=$padding jumps.c
    json '.executions == 6' # two steps of each thread
done

# It is memory, and the mask that is kept with it is that of the thread.
cat > places.c << 'END'
#include <assert.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
static sigjmp_buf place;
static int jumps;
static int blocked(void) {
    sigset_t now;
    sigprocmask(SIG_SETMASK, NULL, &now);
    return sigismember(&now, SIGUSR1);
}
static void handler(int number) {
    (void)number;
    assert(blocked());
    siglongjmp(place, 1);
}
int main(void) {
#ifdef SMALL
    jmp_buf *small = malloc(sizeof *small / 4);
    return setjmp(*small);
#elif defined FREED
    jmp_buf *freed = malloc(sizeof *freed);
    if (setjmp(*freed) == 0) {
        free(freed);
        longjmp(*freed, 1);
    }
#else
    signal(SIGUSR1, handler);
    if (sigsetjmp(place, KEPT) == 0 || (KEPT && ++jumps < 3)) {
        assert(!blocked());
        raise(SIGUSR1);
    }
    assert(blocked() == !KEPT);
#endif
}
END
expect 0 "$heddle" check -DKEPT=1 places.c
expect 0 "$heddle" check -DKEPT=0 places.c
expect 1 "$heddle" check -DSMALL places.c
says out 'overflow'
expect 1 "$heddle" check -DFREED places.c
says out 'use after free'

# Priorities have no effect, but are what the program has made them, of other threads in every order.
cat > priorities.c << 'END'
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>
static int early, late;
static void *other(void *wanted) {
    struct sched_param now;
    int policy;
    assert(pthread_getschedparam(pthread_self(), &policy, &now) == 0);
    if (wanted) {
        assert(policy == SCHED_RR && now.sched_priority == 9);
        assert(sched_getscheduler(gettid()) == SCHED_RR && sched_getscheduler(getpid()) == SCHED_FIFO);
    }
    late = now.sched_priority == 20;
    early = now.sched_priority == 7;
    return wanted;
}
int main(void) {
    pthread_t id;
    pthread_attr_t attributes;
    struct sched_param p = {7}, now;
    int policy;
    assert(sched_getscheduler(0) == SCHED_OTHER && sched_getparam(0, &now) == 0 && now.sched_priority == 0);
    assert(pthread_setschedparam(pthread_self(), SCHED_FIFO, &p) == 0);
    assert(pthread_setschedparam(pthread_self(), SCHED_OTHER, &p) == EINVAL);
    assert(pthread_setschedparam(pthread_self(), 99, &p) == EINVAL);
    assert(pthread_setschedprio(pthread_self(), 1000) == EINVAL);
    assert(pthread_getschedparam(pthread_self(), &policy, &now) == 0);
    assert(policy == SCHED_FIFO && now.sched_priority == 7);
    assert(sched_setparam(4000000, &p) == -1 && errno == ESRCH);
    pthread_attr_init(&attributes);
    pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
    pthread_attr_setschedpolicy(&attributes, SCHED_RR);
    assert(pthread_create(&id, &attributes, other, NULL) == EINVAL);
    p.sched_priority = 9;
    pthread_attr_setschedparam(&attributes, &p);
    pthread_create(&id, &attributes, other, &p);
    pthread_join(id, NULL);
    pthread_create(&id, NULL, other, NULL);
#ifdef CHANGED
    pthread_setschedprio(id, 20);
#endif
    pthread_join(id, NULL);
    assert(early != EXCLUDED && late != EXCLUDED);
}
END
expect 0 "$heddle" check --json -DEXCLUDED=2 priorities.c
json '.executions == 1'
for algorithm in pop none; do
    expect 0 "$heddle" check --json --algorithm=$algorithm -DEXCLUDED=2 -DCHANGED priorities.c
    [ $algorithm = none ] || json '.executions == 2'
    expect 1 "$heddle" check --algorithm=$algorithm -DEXCLUDED=1 -DCHANGED priorities.c
done

# Two signals cannot be blocked; no process has so much memory; addresses are what they are.
cat > limits.c << 'END'
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
int main(void) {
    sigset_t set, now;
    volatile size_t most = PTRDIFF_MAX;
    sigfillset(&set);
    assert(sigprocmask(SIG_SETMASK, &set, NULL) == 0 && sigprocmask(SIG_BLOCK, NULL, &now) == 0);
    assert(!sigismember(&now, SIGKILL) && !sigismember(&now, SIGSTOP) && sigismember(&now, SIGUSR1));
    assert(malloc(most) == NULL && errno == ENOMEM && calloc(most, 1) == NULL && malloc(most / 64) == NULL);
#ifdef LOW
    mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
#endif
}
END
expect 0 "$heddle" check limits.c
if [ "$(uname -m)" = x86_64 ]; then
    expect 2 "$heddle" check -DLOW limits.c
    says err 'unsupported: mmap with MAP_32BIT'
fi
