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
        checked $status --json -k --algorithm=$algorithm "$@" waits.c
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
        checked 0 --algorithm=$algorithm --timeouts=may -D$what tries.c
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
        checked 0 --algorithm=$algorithm -DREPEAT=while $options spurious.c
    done
    checked 0 --algorithm=$algorithm -DREPEAT=if spurious.c
    checked 1 --algorithm=$algorithm -DREPEAT=if --spurious spurious.c
    says out 'assertion failed: ready'
    checked 0 --algorithm=$algorithm -DREPEAT=while -DONCE spurious.c
    checked 1 --algorithm=$algorithm -DREPEAT=while -DONCE --weak-cas spurious.c
    says out 'assertion failed: swapped'
done

# Loops around timed waits end, whoever may time out when; and where nobody will ever end one, that is
# a deadlock, whatever the time-outs.
cat > rounds.c << 'EOF'
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static mtx_t first, second;
static sem_t sem;
static atomic_int word;
static int ready, tries, descriptors[2];
static struct timespec stop;
static struct timespec soon(void) {
    struct timespec end;
#ifdef OF_DAY
    struct timeval now;
    gettimeofday(&now, NULL);
    end = (struct timespec){now.tv_sec + 1, now.tv_usec * 1000};
#else
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_nsec += 10000000;
    if (end.tv_nsec >= 1000000000) {
        end.tv_sec++;
        end.tv_nsec -= 1000000000;
    }
#endif
    return end;
}
static void lock(mtx_t *m) {
    struct timespec end = soon();
    while (mtx_timedlock(m, &end) != thrd_success) {
        end = soon();
    }
}
static void *waits(void *unused) {
    struct timespec end = {0, 1000000};
#ifdef CONDITION
    pthread_mutex_lock(&mutex);
    while (!ready) {
        end = soon();
#ifdef STOPS
        assert(end.tv_sec < stop.tv_sec);
#endif
#ifdef COUNTS
        tries += pthread_cond_timedwait(&changed, &mutex, &end) == ETIMEDOUT;
        assert(tries < 3);
#else
        pthread_cond_timedwait(&changed, &mutex, &end);
#endif
    }
    pthread_mutex_unlock(&mutex);
#elif defined FUTEX
    while (!word) {
        syscall(SYS_futex, &word, FUTEX_WAIT, 0, &end, NULL, 0);
    }
#elif defined POLL
    struct pollfd p = {descriptors[0], POLLIN, 0};
    while (poll(&p, 1, 10) <= 0) {
    }
#elif defined SEMAPHORE
    do {
        end = soon();
    } while (sem_timedwait(&sem, &end));
#elif defined LOCKS
    lock(&first);
    lock(&second);
    mtx_unlock(&second);
    mtx_unlock(&first);
#endif
    (void)end;
    return unused;
}
static void sets(void) {
#ifdef CONDITION
    pthread_mutex_lock(&mutex);
#ifndef NEVER
    ready = 1;
#endif
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
#elif defined FUTEX && !defined NEVER
    word = 1;
    syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0);
#elif defined POLL && !defined NEVER
    assert(write(descriptors[1], "x", 1) == 1);
#elif defined SEMAPHORE && !defined NEVER
    sem_post(&sem);
#elif defined LOCKS && defined NEVER
    lock(&second);
    lock(&first);
    mtx_unlock(&first);
    mtx_unlock(&second);
#elif defined LOCKS
    waits(NULL);
#endif
}
int main(void) {
    pthread_t thread, other;
    struct timespec end;
    assert(!pipe(descriptors));
    sem_init(&sem, 0, 0);
    mtx_init(&first, mtx_timed);
    mtx_init(&second, mtx_timed);
#ifdef STOPS
    stop = soon();
    stop.tv_sec += 2;
#endif
    pthread_create(&thread, NULL, waits, NULL);
#ifdef TWO
    pthread_create(&other, NULL, waits, NULL);
#endif
    sets();
#ifdef TRYJOIN
    while (pthread_tryjoin_np(thread, NULL)) {
        sched_yield();
    }
#elif defined TIMEDJOIN
    do {
        end = soon();
    } while (pthread_timedjoin_np(thread, NULL, &end));
#else
    pthread_join(thread, NULL);
#endif
#ifdef TWO
    pthread_join(other, NULL);
#endif
    (void)end;
    return 0;
}
EOF
ends() { # executions under idle and under may, and definitions
    local idle=$1 may=$2
    shift 2
    expect 0 "$heddle" check --json "$@" rounds.c
    json ".executions == $idle"
    for algorithm in pop optimal source; do
        checked 0 --json --algorithm=$algorithm --timeouts=may "$@" rounds.c
        json ".executions == $may"
    done
}
ends 2 4 -DCONDITION
ends 2 4 -DCONDITION -DOF_DAY
ends 10 150 -DCONDITION -DTWO
ends 4 18 -DFUTEX
ends 1 2 -DPOLL
ends 1 3 -DSEMAPHORE
ends 2 5 -DLOCKS
ends 3 3 -DSEMAPHORE -DTRYJOIN --timeouts=idle
expect 0 "$heddle" check --timeouts=may -DCONDITION -DTRYJOIN rounds.c
expect 0 "$heddle" check --timeouts=may -DCONDITION -DTIMEDJOIN rounds.c
for what in CONDITION "CONDITION -DTWO" FUTEX POLL SEMAPHORE LOCKS "CONDITION -DTRYJOIN"; do
    for timeouts in idle may never; do
        expect 1 "$heddle" check --json --timeouts=$timeouts -D$what -DNEVER rounds.c
        json '.errors[0].kind == "deadlock"'
    done
done
# The effects of a round, and times in variables, are not forgotten.
for what in COUNTS STOPS; do
    expect 0 "$heddle" check -DCONDITION -D$what rounds.c
    expect 1 "$heddle" check --timeouts=may -DCONDITION -D$what rounds.c
done

# A wait that times out if nobody can do anything else, beside a loop that tries a lock: to see whether that goes
# round, its step is tried, and the program restored, with the wait announced again.
cat > tries.c << 'END'
#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static const struct timespec end = {2000000000, 0};
static void *tries(void *none) {
    while (pthread_mutex_trylock(&m)) {
    }
    pthread_mutex_unlock(&m);
    return none;
}
static void *waits(void *none) {
    pthread_mutex_lock(&m);
    for (;;) {
        pthread_cond_timedwait(&c, &m, &end);
    }
    return none;
}
int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, tries, NULL);
    pthread_create(&threads[1], NULL, waits, NULL);
    pthread_timedjoin_np(threads[0], NULL, &end);
}
END
for algorithm in pop none source; do
    status=0
    [ $algorithm != none ] || status=3 # by the number of executions
    checked $status -k --timeouts=may --max-steps=62 --max-executions=300 --algorithm=$algorithm tries.c
done

# A thread in a loop that reads several variables waits in the last read of a round. Nothing times out while
# another round would let it continue; and after a time-out, which comes while it goes round, it can be
# anywhere in a round.
cat > several.c << 'EOF'
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
static atomic_int x, y, left;
static sem_t sem;
static void *spins(void *unused) {
    int a, b;
    do {
        a = x;
        b = y;
    } while (!a && !b);
    left = 2 * a + b;
    sem_post(&sem);
    return unused;
}
static void *sets(void *unused) {
    x = 1;
    return unused;
}
int main(void) {
    pthread_t one, other;
    struct timespec end = {2000000000, 0};
    sem_init(&sem, 0, 0);
    pthread_create(&one, NULL, spins, NULL);
#ifdef STALE
    pthread_create(&other, NULL, sets, NULL);
#endif
    int result = sem_timedwait(&sem, &end) ? errno : 0;
#ifdef STALE
    assert(result == 0);
    pthread_join(other, NULL);
#else
    (void)other, (void)sets;
    assert(result == ETIMEDOUT);
    x = 1;
    y = 1;
#endif
    pthread_join(one, NULL);
    assert(left != LEFT);
    return 0;
}
EOF
for algorithm in pop optimal source none; do
    checked 0 --algorithm=$algorithm -DSTALE -DLEFT=0 several.c
    checked 0 --algorithm=$algorithm -DLEFT=0 several.c
    for left in 1 2 3; do # y alone, x alone, both
        checked 1 --algorithm=$algorithm -DLEFT=$left several.c
        says out 'assertion failed: left'
    done
done
for model in sc rc11; do
    checked 0 --algorithm=graph --model=$model -DSTALE -DLEFT=0 several.c
    checked 3 --algorithm=graph --model=$model -DLEFT=0 several.c
    says out 'after a wait has timed out'
done

# The same of a loop with a choice. If no choice leaves it, the thread waits forever.
cat > chooses.c << 'EOF'
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
_Bool __VERIFIER_nondet_bool(void);
static atomic_int x;
static sem_t sem;
static void *spins(void *unused) {
    while (!__VERIFIER_nondet_bool() || !x) {
    }
    sem_post(&sem);
    return unused;
}
int main(void) {
    pthread_t one;
    struct timespec end = {2000000000, 0};
    sem_init(&sem, 0, 0);
    pthread_create(&one, NULL, spins, NULL);
#ifdef SET
    x = 1;
#endif
    int late = sem_timedwait(&sem, &end) != 0;
    assert(late == LATE);
    pthread_join(one, NULL);
    return 0;
}
EOF
for algorithm in pop optimal source none graph; do
    checked 0 --algorithm=$algorithm -DSET -DLATE=0 chooses.c
    checked 1 --algorithm=$algorithm -DLATE=0 chooses.c
    says out 'assertion failed: late'
    checked 1 --algorithm=$algorithm -DLATE=1 chooses.c
    says out 'deadlock'
done
says out 'T1 repeats a loop forever, whatever it chooses'

# A loop that waits until a clock shows more than its deadline: timers are late, so that it ends.
cat > late.c << 'END'
#include <assert.h>
#include <pthread.h>
#include <time.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static long milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}
static void sleep_for(long span) {
    long start = milliseconds(), passed;
    pthread_mutex_lock(&mutex);
    while ((passed = milliseconds() - start) <= span) {
        struct timespec end;
        clock_gettime(CLOCK_REALTIME, &end);
        end.tv_nsec += (span - passed) * 1000000;
        pthread_cond_timedwait(&never, &mutex, &end);
    }
    pthread_mutex_unlock(&mutex);
    assert(milliseconds() - start > span);
}
static void *other(void *unused) {
    sleep_for(20);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    sleep_for(30);
    pthread_join(thread, NULL);
    return 0;
}
END
expect 0 "$heddle" check late.c
expect 0 "$heddle" check --timeouts=may late.c
expect 1 "$heddle" check --timeouts=never late.c
says out 'deadlock: 2 threads'

# Clocks stop after a century: a loop that sleeps is in the same state in every round even then.
cat > centuries.c << 'END'
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
static atomic_int flag;
static void *set(void *unused) {
    flag = 1;
    return unused;
}
int main(void) {
    struct timespec longest = {LONG_MAX, 0};
    pthread_t thread;
    time(NULL);
    pthread_create(&thread, NULL, set, NULL);
    while (flag != WANTED) {
        nanosleep(&longest, NULL);
    }
    return pthread_join(thread, NULL);
}
END
expect 0 "$heddle" check -DWANTED=1 centuries.c
expect 1 "$heddle" check -DWANTED=2 centuries.c
says out 'livelock: 1 thread is spinning forever'
