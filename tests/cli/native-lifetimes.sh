#!/bin/bash
# Memory that one thread ends the life of while another one writes to it: no order of the two may be
# left out, though nobody reads what was written.
. "$(dirname "$0")/../library.sh"
algorithms="pop optimal observers source context none"

cat > freed.c << 'EOF'
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static char *p;
static atomic_int x, y;
static void *frees(void *unused) {
    x = 1;
    free(p);
    return unused;
}
int main(void) {
    pthread_t thread;
    p = malloc(SIZE);
    pthread_create(&thread, NULL, frees, NULL);
    y = 1;
    p[SIZE - 1] = 2;
    pthread_join(thread, NULL);
    return 0;
}
EOF
for size in 4 100000; do
    expect 0 "$heddle" cc -DSIZE=$size -o freed freed.c
    for algorithm in $algorithms; do
        for first in lowest highest; do
            expect 1 "$heddle" check --algorithm=$algorithm --first=$first --no-race-check freed
            says out 'use after free'
        done
    done
done

# The end of a function or a thread, after an operation that has nothing to do with it.
cat > left.c << 'EOF'
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdatomic.h>
static int *_Atomic place;
static atomic_int x, y;
static sem_t used, done;
static _Thread_local int own;
static void publish(int *q) {
    place = q;
#ifdef RIGHT
    sem_wait(&used);
#endif
    x = 1;
}
static double inner(void) {
    int local = 0;
    publish(&local);
    return 1.5;
}
static void *outer(void *argument) {
    if (inner() != 1.5) __builtin_abort();
    sem_wait(&done);
    return argument;
}
static void inside(sigjmp_buf out) {
    int local = 0;
    publish(&local);
    siglongjmp(out, 1);
}
static void *jump(void *argument) {
    sigjmp_buf out;
    if (!sigsetjmp(out, 1)) inside(out);
    sem_wait(&done);
    return argument;
}
static void *leave(void *argument) {
    int local = 0;
    publish(&local);
    return argument;
}
static void *end(void *argument) {
    publish(&own);
    return argument;
}
static void *stop(void *argument) {
    int local = 0;
    publish(&local);
    pthread_exit(argument);
}
int main(void) {
    pthread_t thread;
    sem_init(&used, 0, 0);
    sem_init(&done, 0, 0);
    pthread_create(&thread, NULL, WAY, NULL);
    int *q = place;
    if (q) {
        y = 1;
        *q = 2;
    }
    sem_post(&used);
    sem_post(&done);
    pthread_join(thread, NULL);
    return 0;
}
EOF
for way in outer jump leave end stop; do
    for level in "" --optimize; do
        expect 0 "$heddle" cc $level -DWAY=$way -o wrong left.c
        expect 0 "$heddle" cc $level -DWAY=$way -DRIGHT -o right left.c
        for algorithm in $algorithms; do
            expect 1 "$heddle" check --algorithm=$algorithm wrong
            says out "data race on (T1's (local|own)|a local of T1): end of its life by T1|use after free"
            expect 0 "$heddle" check --algorithm=$algorithm right
        done
    done
    for algorithm in pop observers; do
        expect 1 "$heddle" check --algorithm=$algorithm --no-race-check wrong
        says out 'use after free: write of 4 bytes of (a local|the stack) of T1'
    done
done

# There is nothing to jump to in a function that has returned.
cat > gone.c << 'EOF'
#include <setjmp.h>
static jmp_buf place;
static int mark(void) { return setjmp(place); }
int main(void) {
    if (!mark()) longjmp(place, 1);
    return 0;
}
EOF
expect 1 "$heddle" check gone.c
says out 'longjmp to a place in a function that has returned'

# The place of a frame that has ended is taken by the next one, without an operation in between.
cat > taken.c << 'EOF'
#include <pthread.h>
#include <stdatomic.h>
static pthread_t thread;
static void *uses(void *argument) {
    *(atomic_int *)argument = 7;
    return NULL;
}
static void starts(void) {
    atomic_int local = 0;
    pthread_create(&thread, NULL, uses, (void *)&local);
#ifdef RIGHT
    pthread_join(thread, NULL);
#endif
}
static void joins(int depth) {
    atomic_int local = 0;
    if (depth) {
        joins(depth - 1);
    } else {
#ifndef RIGHT
        pthread_join(thread, NULL);
#endif
    }
}
int main(void) {
    starts();
    joins(3);
    return 0;
}
EOF
expect 0 "$heddle" cc -o wrong taken.c
expect 0 "$heddle" cc -DRIGHT -o right taken.c
for algorithm in $algorithms; do
    expect 1 "$heddle" check --algorithm=$algorithm --no-race-check wrong
    says out 'use after free: write of 4 bytes of a local of main whose function has returned'
    expect 0 "$heddle" check --algorithm=$algorithm --no-race-check right
done

# Random threads that use each other's locals, against all interleavings.
lifetimes=$root/tests/native/memory/lifetimes.c
expect 0 cc -DORACLE -o oracle "$lifetimes"
expect 0 "$heddle" cc -o lifetimes "$lifetimes"
./oracle "${HEDDLE_LIFETIMES:-150}" > answers
while read -r seed wanted; do
    expect "$wanted" "$heddle" check --no-race-check lifetimes -- "$seed"
    [ "$seed" -ge 20 ] && continue
    for algorithm in optimal observers source; do
        expect "$wanted" "$heddle" check --algorithm=$algorithm lifetimes -- "$seed"
    done
done < answers

# What is shared may be learnt on the way back to a node.
for seed in $(awk '$2 == 1 && n++ < 8 { print $1 }' answers); do
    expect 1 "$heddle" check --algorithm=none --no-race-check lifetimes -- "$seed"
done

# Who uses a dead local knows of its end, but not of the frame that lies there by now: there is an
# order in which that frame has not been entered yet. What T1 does afterwards depends on the order,
# though no step conflicts with it: that is no reason to give up.
cat > reused.c << 'EOF'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int *_Atomic published;
static atomic_int flag, between, after;
static pthread_t first, second;
static void *uses(void *argument) {
    if (flag) {
        atomic_store(published, 1);
        after = 1;
    }
    return argument;
}
static void *reads(void *argument) {
    (void)between;
    return argument;
}
static void publishes(void) {
    atomic_int local = 0;
    published = &local;
#ifdef RIGHT
    flag = 1;
    pthread_join(first, NULL);
#endif
}
static void joins(int depth) {
    atomic_int local = 0;
    if (depth) {
        joins(depth - 1);
        return;
    }
#ifndef RIGHT
    pthread_join(first, NULL);
#else
    published = &local;
    pthread_create(&first, NULL, uses, NULL);
    pthread_join(first, NULL);
#endif
    pthread_join(second, NULL);
}
int main(void) {
    pthread_create(&first, NULL, uses, NULL);
    pthread_create(&second, NULL, reads, NULL);
    publishes();
    flag = 1;
    between = 1;
    joins(3);
    return 0;
}
EOF
expect 0 "$heddle" cc -o wrong reused.c
expect 0 "$heddle" cc -DRIGHT -o right reused.c
for algorithm in $algorithms; do
    for first in lowest highest; do
        expect 1 "$heddle" check --algorithm=$algorithm --first=$first wrong
        says out "data race on .*reuse of its place by main|use after free"
    done
    expect 1 "$heddle" check -k --algorithm=$algorithm wrong
    ! grep -q 'internal error' out || fail 'an internal error'
    says out "use after free"
    expect 0 "$heddle" check --algorithm=$algorithm right
    for first in lowest highest; do
        expect 1 "$heddle" check --no-race-check --algorithm=$algorithm --first=$first wrong
        says out "use after free"
    done
    expect 0 "$heddle" check --no-race-check --algorithm=$algorithm right
done

# A thread that has failed does not bring back the frame that it had left. Traces by hand: if main
# publishes first, 4 (what T2 reads; a local before or after its end); if it does so after T1 has read
# its own, 4; between the two, 1 + 3 (before the end of the local, before that of T1, after it) + 2.
cat > failed.c << 'EOF'
#include <pthread.h>
#include <stdatomic.h>
static _Thread_local atomic_int own;
static atomic_int *_Atomic published;
static int results[2];
static int publishes(int result) {
    atomic_int local;
    local = 1;
    published = &local;
    return result;
}
static void *writes(void *argument) {
    int result = publishes(1);
    atomic_int *used = published;
    if (used) {
        *used = 2;
    }
    results[0] = result;
    return argument;
}
static void *reads(void *argument) {
    int result = 1;
    atomic_int *used = published;
    if (used) {
        result = result * 3 + *used;
    }
    results[1] = result;
    return argument;
}
int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, writes, NULL);
    pthread_create(&threads[1], NULL, reads, NULL);
    published = &own;
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
EOF
expect 0 "$heddle" cc -o failed failed.c
for algorithm in optimal source observers pop; do
    expect 1 "$heddle" check -k --no-race-check --algorithm=$algorithm failed
    ! grep -q 'internal error' out || fail 'an internal error'
    says out 'complete executions explored: 14'
done

# Every operation on an object whose memory another thread ends the life of: freed, or a local of a function
# that returns.
cat > object.c << 'EOF'
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
static const struct timespec end = {5000000000, 0};
static pthread_t thread;
static TYPE *made(TYPE *o) {
    INIT;
    return o;
}
static void nothing(void) {}
static void *use(void *argument) {
    TYPE *o = argument;
    (void)other;
    (void)end;
    (void)nothing;
    USE;
    return NULL;
}
static void call(void) {
    TYPE local;
    pthread_create(&thread, NULL, use, made(&local));
}
int main(int argc, char **argv) {
    (void)argv;
    if (argc > 1) {
        TYPE *o = made(malloc(sizeof *o));
        pthread_create(&thread, NULL, use, o);
        free(o);
    } else {
        call();
    }
    pthread_join(thread, NULL);
    return 0;
}
EOF
rows=0
objects() { # type, initialisation; operations, one per line
    while read -r operation; do
        expect 0 "$heddle" cc -w -DTYPE="$1" -DINIT="$2" -DUSE="$operation" -o object object.c
        for argument in '' freed; do
            for first in lowest highest; do
                expect 1 "$heddle" check -q --first=$first ./object -- $argument
                grep -Eq '\[(use-after-free|data-race)\]' out || fail "not found: $operation"
            done
        done
        rows=$((rows + 1))
    done
}
kind() { echo "pthread_mutexattr_t a; pthread_mutexattr_init(&a); $1; pthread_mutex_init(o, &a)"; }
objects pthread_mutex_t 'pthread_mutex_init(o, NULL)' << 'EOF'
pthread_mutex_lock(o), pthread_mutex_unlock(o)
if (!pthread_mutex_trylock(o)) pthread_mutex_unlock(o)
if (!pthread_mutex_timedlock(o, &end)) pthread_mutex_unlock(o)
EOF
objects pthread_mutex_t "$(kind 'pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK)')" << 'EOF'
pthread_mutex_lock(o), pthread_mutex_unlock(o)
pthread_mutex_unlock(o)
pthread_mutex_consistent(o)
EOF
objects pthread_mutex_t "$(kind 'pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST)')" << 'EOF'
pthread_mutex_unlock(o)
pthread_mutex_consistent(o)
EOF
objects pthread_cond_t 'pthread_cond_init(o, NULL)' << 'EOF'
pthread_cond_signal(o)
pthread_cond_broadcast(o)
pthread_mutex_lock(&other), pthread_cond_timedwait(o, &other, &end), pthread_mutex_unlock(&other)
EOF
objects pthread_rwlock_t 'pthread_rwlock_init(o, NULL)' << 'EOF'
pthread_rwlock_rdlock(o), pthread_rwlock_unlock(o)
pthread_rwlock_wrlock(o), pthread_rwlock_unlock(o)
if (!pthread_rwlock_tryrdlock(o)) pthread_rwlock_unlock(o)
if (!pthread_rwlock_trywrlock(o)) pthread_rwlock_unlock(o)
EOF
objects pthread_spinlock_t 'pthread_spin_init(o, 0)' << 'EOF'
pthread_spin_lock(o), pthread_spin_unlock(o)
if (!pthread_spin_trylock(o)) pthread_spin_unlock(o)
EOF
objects sem_t 'sem_init(o, 0, 1)' << 'EOF'
sem_post(o)
sem_wait(o)
sem_trywait(o)
sem_timedwait(o, &end)
int value; sem_getvalue(o, &value)
EOF
objects pthread_barrier_t 'pthread_barrier_init(o, NULL, 1)' <<< 'pthread_barrier_wait(o)'
objects pthread_once_t '*o = PTHREAD_ONCE_INIT' <<< 'pthread_once(o, nothing)'
objects mtx_t 'mtx_init(o, mtx_plain)' <<< 'mtx_lock(o), mtx_unlock(o)'
objects cnd_t 'cnd_init(o)' <<< 'cnd_broadcast(o)'
objects atomic_int 'atomic_init(o, 0)' << 'EOF'
atomic_load(o)
atomic_store(o, 1)
atomic_fetch_add(o, 1)
EOF
[ $rows = 29 ] || fail "$rows operations"

# A thread that waits until another one is done, in an object on its stack: right if the other one does not
# touch the object afterwards. Neither order of the two is found by the order in which threads are picked.
cat > completion.c << 'END'
#include <pthread.h>
#include <semaphore.h>
static pthread_t thread;
static struct completion {
    pthread_mutex_t mutex;
    pthread_cond_t condition;
    int done;
} *unused;
static void nothing(void) {}
static void *completes(void *argument) {
    (void)unused, (void)nothing;
#if WAY == 1 || WAY == 2
    sem_post(argument);
#elif WAY == 3 || WAY == 4
    struct completion *c = argument;
    pthread_mutex_lock(&c->mutex);
    c->done = 1;
    if (WAY == 3) pthread_cond_signal(&c->condition);
    pthread_mutex_unlock(&c->mutex);
    if (WAY == 4) pthread_cond_signal(&c->condition);
#elif WAY == 5
    pthread_rwlock_rdlock(argument);
    pthread_rwlock_unlock(argument);
#elif WAY == 6
    pthread_spin_lock(argument);
    pthread_spin_unlock(argument);
#elif WAY == 7
    pthread_once(argument, nothing);
#elif WAY == 8
    pthread_barrier_wait(argument);
#endif
    return NULL;
}
static void waits(void) {
#if WAY == 1 || WAY == 2
    sem_t object;
    sem_init(&object, 0, WAY - 1);
    pthread_create(&thread, NULL, completes, &object);
    sem_wait(&object);
#elif WAY == 3 || WAY == 4
    struct completion object = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};
    pthread_create(&thread, NULL, completes, &object);
    pthread_mutex_lock(&object.mutex);
    while (!object.done) pthread_cond_wait(&object.condition, &object.mutex);
    pthread_mutex_unlock(&object.mutex);
#elif WAY == 5
    pthread_rwlock_t object = PTHREAD_RWLOCK_INITIALIZER;
    pthread_create(&thread, NULL, completes, &object);
    pthread_rwlock_wrlock(&object);
    pthread_rwlock_unlock(&object);
#elif WAY == 6
    pthread_spinlock_t object;
    pthread_spin_init(&object, 0);
    pthread_create(&thread, NULL, completes, &object);
    pthread_spin_lock(&object);
    pthread_spin_unlock(&object);
#elif WAY == 7
    pthread_once_t object = PTHREAD_ONCE_INIT;
    pthread_create(&thread, NULL, completes, &object);
    pthread_once(&object, nothing);
#elif WAY == 8
    pthread_barrier_t object;
    pthread_barrier_init(&object, NULL, 2);
    pthread_create(&thread, NULL, completes, &object);
    pthread_barrier_wait(&object);
    pthread_barrier_destroy(&object);
#endif
}
int main(void) {
    waits();
    pthread_join(thread, NULL);
}
END
for way in 1 2 3 4 5 6 7 8; do
    expect 0 "$heddle" cc -DWAY=$way -o completion completion.c
    case $way in 1 | 3 | 8) status=0 ;; *) status=1 ;; esac
    for how in --first={lowest,highest,random:7} "--first=highest --algorithm="{optimal,source}; do
        expect $status "$heddle" check -q $how ./completion
        [ $status = 0 ] || says out use-after-free
    done
done

# What is left locked in a frame ends with it: another one in its place is new.
cat > left.c << 'END'
#include <pthread.h>
#include <setjmp.h>
#include <string.h>
static jmp_buf place;
static int leave(int n) {
#if WAY == 1
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
#elif WAY == 2
    pthread_mutex_t m;
    pthread_mutex_init(&m, NULL);
#elif WAY == 3
    pthread_mutex_t m;
    memset(&m, 0, sizeof m);
#elif WAY == 4
    struct {
        int x;
        pthread_mutex_t m;
    } s = {.x = n};
#define m s.m
#elif WAY == 5
    pthread_rwlock_t m = PTHREAD_RWLOCK_INITIALIZER;
#define pthread_mutex_lock n % 2 ? pthread_rwlock_rdlock : pthread_rwlock_wrlock
#endif
    (pthread_mutex_lock)(&m);
#ifdef JUMPS
    longjmp(place, 1);
#endif
    return n;
}
static void *run(void *unused) {
    leave(1);
    leave(2);
    leave(3);
    return unused;
}
int main(void) {
    pthread_t thread;
#ifdef JUMPS
    static int count;
    setjmp(place);
    if (count++ < 3) {
        leave(count);
    }
#else
    pthread_create(&thread, NULL, run, NULL);
    run(NULL);
    pthread_join(thread, NULL);
#endif
    (void)thread;
}
END
for way in 1 2 3 4 5; do
    expect 0 "$heddle" check -DWAY=$way left.c
    expect 0 "$heddle" check -DWAY=$way -DJUMPS left.c
done
expect 0 "$heddle" check --optimize -DWAY=1 left.c
expect 0 "$heddle" check --algorithm=none --no-race-check -DWAY=2 left.c
HEDDLE_CHECK_UNDO=1 expect 0 "$heddle" check -DWAY=1 left.c
for way in "1" "4 -DJUMPS" "5" "5 -DJUMPS"; do
    expect 0 "$heddle" check --model=rc11 -DWAY=$way left.c
done
cat > held.c << 'END'
#include <pthread.h>
static void take(pthread_mutex_t *m) {
    volatile int local = 1, *p = &local;
    *p = 2;
    pthread_mutex_lock(m);
}
int main(void) {
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    take(&m);
    take(&m);
}
END
expect 1 "$heddle" check --json held.c
json '.errors[0].kind == "deadlock"'
