#!/bin/bash
# Spin loops of C programs, recognised without annotations, with the counts of the abstract programs
# of spin.sh: what gcc leaves in temporaries at -O0 makes no difference.
. "$(dirname "$0")/../library.sh"
programs=$root/tests/native/spin

# Several algorithms check a program that is built once. For a single check, building it in the check takes less time.
check() {
    local program options
    if [[ "$*" = *--algorithm=* ]]; then
        build_once "$@"
        "$heddle" check "${options[@]}" "$program"
    else
        "$heddle" check "$@"
    fi
}

# counts NAME COMPLETE/STUCK/ARTIFACTS [OPTION...]
counts() {
    local name=$1 wanted=$2 found
    shift 2
    check -k --json "$@" "$programs/$name.c" > json || true
    found=$(tally json)
    [ "$found" = "$wanted" ] || fail "$name $*: $found instead of $wanted"
}

# verified NAME [OPTION...]
verified() {
    local name=$1
    shift
    check --json "$@" "$programs/$name.c" > json || fail "$name $*: $(jq -c .verdict json)"
}

# found NAME KIND [OPTION...]: a bug of that kind.
found() {
    local name=$1 kind=$2
    shift 2
    expect 1 check -k --json "$@" "$programs/$name.c"
    error_is "$kind" '' || jq -e --arg kind "$kind" 'any(.errors[]; .kind == $kind)' out > /dev/null || fail "$name: no $kind"
}

for pause in '' 'sched_yield()' 'usleep(10)' 'thrd_yield()' 'nanosleep(&(struct timespec){0, 9}, NULL)' \
    '__builtin_ia32_pause()'; do
    [ -n "$pause" ] && [ "$(uname -m)" != x86_64 ] && [[ $pause = *ia32* ]] && continue
    verified flag ${pause:+"-DPAUSE()=$pause"}
done
# Eleven looks at a flag, at 0.0 to 1.0 s, each of which may be the first that finds it set, or none.
for algorithm in pop optimal source; do
    counts sleeping 12/0/0 --algorithm=$algorithm -DCOARSE
    counts sleeping 1/0/0 --algorithm=$algorithm -DCOARSE -DUNSET
    counts sleeping 2/0/0 --algorithm=$algorithm -DTIMED
    counts sleeping 1/0/0 --algorithm=$algorithm -DAFTER --max-executions=100
    found sleeping livelock --algorithm=$algorithm -DUNSET --max-executions=100
    counts sleeping 1/0/0 --algorithm=$algorithm -DUNDER --max-executions=100
    counts sleeping 1/0/0 --algorithm=$algorithm -DUNDER -DAFTER --max-executions=100
    found sleeping livelock --algorithm=$algorithm -DUNDER -DUNSET --max-executions=100
done
for algorithm in pop optimal source; do
    verified called --algorithm=$algorithm --no-race-check --max-steps=200
    verified under_rwlock --algorithm=$algorithm
    verified under_rwlock --algorithm=$algorithm -DPOLL=pthread_rwlock_wrlock
    verified under_rwlock --algorithm=$algorithm -DPOLL=pthread_rwlock_wrlock -DSET=pthread_rwlock_rdlock
    found under_rwlock deadlock --algorithm=$algorithm -DFORGOTTEN
    found under_rwlock data-race --algorithm=$algorithm -DAFTER
    found under_rwlock data-race --algorithm=$algorithm -DSET=pthread_rwlock_rdlock --max-steps=100
    found under_rwlock assertion --algorithm=$algorithm --max-steps=100 \
        '-DBEFORE=assert(pthread_rwlock_trywrlock(&lock) == 0); pthread_rwlock_unlock(&lock)'
    for change in 'init(&lock, NULL)' 'destroy(&lock); pthread_rwlock_init(&lock, NULL)'; do
        found under_rwlock misuse --algorithm=$algorithm --max-steps=100 "-DBEFORE=pthread_rwlock_$change"
    done
    found begun_anew misuse --algorithm=$algorithm --max-steps=100
    for by in WAIT TRYWAIT MUTEX RWLOCK; do
        verified under_semaphore --algorithm=$algorithm -D$by
        found under_semaphore deadlock --algorithm=$algorithm -D$by -DFORGOTTEN
    done
    verified under_semaphore --algorithm=$algorithm -DPOLLERS=2
    found under_semaphore data-race --algorithm=$algorithm -DUNITS=2 --max-steps=100
    found under_semaphore assertion --algorithm=$algorithm --max-steps=100 \
        '-DBEFORE=assert(sem_trywait(&semaphore) == 0); sem_post(&semaphore)'
    found under_semaphore assertion --algorithm=$algorithm --max-steps=100 \
        '-DBEFORE=int value; sem_getvalue(&semaphore, &value); assert(value == 1)'
    found under_semaphore assertion --algorithm=$algorithm --max-steps=100 '-DREADY=_Atomic int' \
        '-DBEFORE=int value; sem_getvalue(&semaphore, &value); assert(value == 1)'
    found under_semaphore assertion --algorithm=$algorithm -DMUTEX --max-steps=100 \
        '-DBEFORE=assert(pthread_mutex_trylock(&mutex) == 0); pthread_mutex_unlock(&mutex)'
done
for algorithm in pop optimal source classic; do
    found cut_race data-race --algorithm=$algorithm --max-steps=60 --max-executions=1000
    json '.warnings | all(contains("internal error") | not)'
done
verified thread_local
verified thread_local --model=rc11
counts revisited 5/0/0
counts revisited 5/0/0 --algorithm=optimal
for algorithm in pop optimal source; do
    for name in tas trylock ticket; do
        counts $name 2/0/0 --algorithm=$algorithm
        counts $name 6/0/0 -DN=3 --algorithm=$algorithm
        counts $name 24/0/0 -DN=4 --algorithm=$algorithm
    done
    counts flag 1/0/0 --algorithm=$algorithm
    counts dead_values 1/0/0 --algorithm=$algorithm
    counts passed 1/1/0 --algorithm=$algorithm
    counts cas 6/0/0 -DN=3 --algorithm=$algorithm
    counts ttas 4/0/0 --algorithm=$algorithm
    counts ttas 36/0/0 -DN=3 --algorithm=$algorithm
    counts mcs 6/0/0 --algorithm=$algorithm
    counts mcs 66/0/0 -DN=3 --algorithm=$algorithm
    counts peterson 4/0/4 --algorithm=$algorithm
    counts peterson 4/0/2 -DTURN --algorithm=$algorithm
    counts dekker 4/0/5 --algorithm=$algorithm
    counts bakery 9/0/0 --algorithm=$algorithm
    counts abba 2/1/0 --algorithm=$algorithm
    counts increment 4/0/0 --algorithm=$algorithm
    counts drain 5/0/0 --algorithm=$algorithm
    counts drain 2/0/2 -DFAILS --algorithm=$algorithm
    for call in 'close(77)' 'dup(77)' 'read(77, &event, 1)' 'epoll_wait(77, &event, 1, -1)'; do
        counts descriptor 2/0/1 "-DASK=$call" --algorithm=$algorithm
    done
    verified descriptor '-DASK=fileno(stdin)' --algorithm=$algorithm
    counts descriptor 1/0/0 '-DASK=isalpha((int)event.events)' --algorithm=$algorithm
    verified value --algorithm=$algorithm
done
found drain deadlock -DENDS
verified drain --algorithm=none
verified value --algorithm=none
verified drain -DFAILS --algorithm=none
counts polling 1/0/0
counts polling 2/0/0 -DN=3
counts held_lock 2/0/0
counts unset 0/1/0
for algorithm in pop optimal source observers; do
    counts racing_round 5/0/0 --algorithm=$algorithm --max-executions=100
    counts racing_round 8/0/0 --algorithm=$algorithm --max-executions=100 -DSECTION
    counts poll 1/0/0 --algorithm=$algorithm
    found poll livelock -DBUG --algorithm=$algorithm
    found poll livelock -DBUG --algorithm=$algorithm --no-race-check
done
for algorithm in optimal source; do
    counts leftovers 8/0/0 --algorithm=$algorithm
done
verified stack
verified stack '-DPAUSE()=usleep(10)'
verified seqlock
verified ticket -DN=3
[ "$(jq -r .algorithm json)" = pop ] || fail "pop falls back"
for algorithm in source optimal observers context; do
    verified ticket --algorithm=$algorithm
done

found peterson assertion -DBUG
found bakery assertion -DBUG
found seqlock assertion -DBUG
found broken assertion
verified either
found either deadlock -DSTUCK
found unset livelock
found passed deadlock
found abba livelock
found polling deadlock -DBUG
found held_lock data-race -DBUG

# Whatever a round looks at, and however, can end it.
for look in 0 1 2 3 4 5; do
    for place in 0 1 2; do
        found looked assertion -DBUG -DLOOK=$look -DPLACE=$place
    done
    counts looked 1/0/0 -DLOOK=$look -DPLACE=1
    found looked data-race -DLATE -DLOOK=$look -DPLACE=0
done
for how in 1 2 3 4 5; do
    found late data-race -DHOW=$how
done

# What a round has written and somebody still reads is not dead.
for way in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
    verified live -DWAY=$way
    found live assertion -DBUG -DWAY=$way
done
if [ "$(uname -m)" = x86_64 ]; then
    verified first -gsplit-dwarf
    for flags in -DWAY=17 '-DWAY=17 -DMARKS=setjmp -fno-plt' -DWAY=18 '-DWAY=19 -mindirect-branch=thunk' \
        '-DWAY=2 -fvar-tracking'; do
        # shellcheck disable=SC2086
        verified live $flags
        # shellcheck disable=SC2086
        found live assertion -DBUG $flags
    done
fi

# A lock that polls may be found held: it waits for more than the mutex nevertheless.
for algorithm in classic source optimal sleep-sets; do
    counts pollers 46/0/0 --algorithm=$algorithm
    counts pollers 222/0/0 -DN=3 -DCHAIN --algorithm=$algorithm
done

# Whoever takes a lock, tries to take another and gives the first back waits, unless somebody sees that it was held.
for algorithm in pop source classic; do
    for wanted in '2 -DN=2' '6 -DN=3' '14 -DN=4' '2 -DN=2 -DLOCKS=3' '6 -DN=3 -DLOCKS=3' '2 -DSPIN' '2 -DWRITE' '2 -DBLOCKS'; do
        # shellcheck disable=SC2086
        counts backoff "${wanted%% *}/0/0" --algorithm=$algorithm ${wanted#* }
    done
done
for given in -DINNER -DSEMAPHORE '-DSEMAPHORE -DBLOCKS' -DCLOCK '-DCLOCK -DN=3' '-DCLOCK --timeouts=may' '-DCLOCK -DBLOCKS' \
    '-DCLOCK -DBLOCKS --timeouts=may'; do
    # shellcheck disable=SC2086
    verified backoff $given
done
# What a round looks at only while another lock is free is not lost when that is held in the end.
for algorithm in pop optimal source classic none; do
    found second_look data-race --algorithm=$algorithm
    found second_look data-race --algorithm=$algorithm -DALONE
done
counts second_look 3/0/0 --algorithm=source
verified three_timeouts -DSET
found three_timeouts deadlock
# A thread that waits for two things at once comes before the two threads that take one of them each.
for lock in MUTEX WRITE_LOCK READ_LOCK SEMAPHORE; do
    for first in KEEPER_FIRST CHANGER_FIRST; do
        for algorithm in pop optimal source; do
            found two_blockers assertion --algorithm=$algorithm -D$lock -D$first
            found two_blockers assertion --algorithm=$algorithm -D$lock -D$first -DTRIES
        done
        counts two_blockers 3/0/0 -D$lock -D$first
        counts two_blockers 2/0/0 -D$lock -D$first -DTRIES
    done
done
found two_blockers assertion --algorithm=classic --first=highest
found two_blockers assertion --algorithm=none
verified backoff --algorithm=none
for given in '-DBLOCKS -DFORGOTTEN' -DCROSSED '-DCLOCK -DBLOCKS -DFORGOTTEN' '-DCLOCK -DBLOCKS --timeouts=never'; do
    # shellcheck disable=SC2086
    found backoff deadlock $given
done
for given in -DSEEN -DCOUNTED '-DSEEN -DINNER' '-DSEEN -DWRITE' '-DSEEN -DSEMAPHORE' '-DSEEN -DCLOCK --timeouts=may'; do
    # shellcheck disable=SC2086
    expect 1 "$heddle" check --max-steps=300 --max-executions=2000 $given "$programs/backoff.c"
    says out 'assertion failed'
done
expect 1 "$heddle" check --schedule=found -DBLOCKS -DFORGOTTEN "$programs/backoff.c"
expect 1 "$heddle" replay found
says out 'Replayed [0-9]* steps as recorded'

# Inline assembly: what heddle leaves in registers is not part of a thread's state.
if [ "$(uname -m)" = x86_64 ]; then
    for inline in inline 'inline __attribute__((always_inline))'; do
        for way in 0 1 2; do
            found assembly deadlock -DBUG -DWAY=$way "-DINLINE=$inline"
            for algorithm in pop source; do
                verified assembly -DWAY=$way "-DINLINE=$inline" --algorithm=$algorithm
            done
        done
    done
    counts assembly 6/0/0 -DN=3
    counts assembly 6/0/0 -DN=3 -DWAY=1
    counts assembly 6/0/66 -DN=3 -DWAY=2
    for way in 0 1 2 3; do
        verified assembly --optimize -DBEFORE -DWAY=$way
    done
fi

# The loop is named, with what it reads; schedules can be replayed.
expect 1 "$heddle" check --schedule=found "$programs/passed.c"
says out 'passed.c:8: T1 spins in a loop that reads state'
expect 1 "$heddle" replay found
says out 'Replayed 3 steps as recorded'
expect 1 "$heddle" check "$programs/abba.c"
says out 'spins in a loop that reads locks'
expect 1 "$heddle" check -DBUG "$programs/polling.c"
says out 'polling.c:8: T1 spins in a loop that reads ready'

# A flag that is not atomic is a race; without the race check the loop waits nevertheless.
found plain data-race
found plain data-race -DKIND=volatile
verified plain --no-race-check
verified plain -DKIND=volatile --no-race-check

# Without the race check such a loop is known by its reads, whoever has written what they read. (With 10 of
# them its pauses, after 10,080 accesses, are at 11 places.)
for options in '' -DREADS=3 -DREADS=10; do
    for never in -DNEVER -DNOBODY; do
        for algorithm in pop optimal observers; do
            found plain deadlock --no-race-check $never $options --algorithm=$algorithm
        done
    done
    verified plain --no-race-check $options
done
found plain deadlock --no-race-check -DREADS=300 -DNOBODY
found wide_round deadlock -DN=100
found wide_round deadlock -DN=200

# A mutex that somebody tries to lock is seen to be held.
cat > tried.c << 'END'
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int ready;
static void *polls(void *argument) {
    for (int seen = 0; !seen;) {
        pthread_mutex_lock(&mutex);
        seen = ready;
        pthread_mutex_unlock(&mutex);
    }
    return argument;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, polls, NULL);
    assert(pthread_mutex_trylock(&mutex) == 0);
    ready = 1;
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
}
END
expect 1 "$heddle" check --max-steps=200 tried.c
says out 'assertion'

# What a loop reads before it leaves matters: a value that it saw on the way is not lost.
cat > previous.c << 'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *sets(void *argument) {
    atomic_store(&x, 1);
    return argument;
}
int main(void) {
    pthread_t thread;
    int previous = 7, now = 7;
    pthread_create(&thread, NULL, sets, NULL);
    do {
        previous = now;
        now = atomic_load(&x);
    } while (!now);
    assert(previous == 7);
}
END
expect 1 "$heddle" check previous.c
says out 'assertion'

# A race with what only a round that is left out reads.
cat > racy.c << 'END'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int f;
static int d;
static void *sets(void *argument) {
    atomic_store(&f, 1);
    return argument;
}
static void *writes(void *argument) {
    d = 5;
    return argument;
}
int main(void) {
    pthread_t one, two;
    int seen = 0;
    pthread_create(&one, NULL, sets, NULL);
    pthread_create(&two, NULL, writes, NULL);
    while (!atomic_load(&f)) {
        seen = d;
    }
    return seen == 9;
}
END
expect 1 "$heddle" check racy.c
says out 'data race on d'

# What has an effect in every round is cut, with its place.
expect 3 "$heddle" check --max-steps=300 "$programs/retreat.c"
says out 'retreat.c:'

# Whoever tries again and again waits: spin locks, semaphores, read-write locks; and under a spin lock.
cat > tries.c << 'END'
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
static pthread_spinlock_t spin;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t sem;
static int value;
#ifdef SPIN
#define TRY     pthread_spin_trylock(&spin)
#define RELEASE pthread_spin_unlock(&spin)
#elif defined SEMAPHORE
#define TRY     sem_trywait(&sem)
#define RELEASE sem_post(&sem)
#elif defined RWLOCK
#define TRY     pthread_rwlock_trywrlock(&lock)
#define RELEASE pthread_rwlock_unlock(&lock)
#endif
#ifdef POLL
static int look(void) {
    pthread_spin_lock(&spin);
    int seen = value;
    pthread_spin_unlock(&spin);
    return seen;
}
static void *work(void *unused) {
    pthread_spin_lock(&spin);
    value = 1;
    pthread_spin_unlock(&spin);
    return unused;
}
#else
static void *work(void *unused) {
    while (TRY) {
    }
    value++;
#ifndef FORGOTTEN
    RELEASE;
#endif
    return unused;
}
#endif
int main(void) {
    pthread_t thread;
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    sem_init(&sem, 0, 1);
    pthread_create(&thread, NULL, work, NULL);
#ifdef POLL
    while (!look()) {
    }
#else
    work(NULL);
#endif
    pthread_join(thread, NULL);
#ifndef POLL
    assert(value == 2);
#endif
    return 0;
}
END
for what in SPIN SEMAPHORE RWLOCK POLL; do
    for algorithm in pop optimal source; do
        checked 0 --algorithm=$algorithm -D$what tries.c
        [ $what = POLL ] || expect 1 "$heddle" check --algorithm=$algorithm -D$what -DFORGOTTEN tries.c
    done
done

# A read that does not wait, again and again.
cat > again.c << 'END'
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>
static int ends[2];
static void *work(void *unused) {
#ifndef FORGOTTEN
    assert(write(ends[1], "x", 1) == 1);
#endif
    return unused;
}
int main(void) {
    pthread_t thread;
    char byte;
    assert(pipe2(ends, O_NONBLOCK) == 0);
    pthread_create(&thread, NULL, work, NULL);
    while (read(ends[0], &byte, 1) == -1 && errno == EAGAIN) {
    }
    assert(byte == 'x');
    pthread_join(thread, NULL);
    return 0;
}
END
for algorithm in pop optimal source; do
    checked 0 --algorithm=$algorithm again.c
    checked 1 --algorithm=$algorithm -DFORGOTTEN again.c
    says out 'livelock'
done

# Rounds with choices that change nothing are gone once; all others as often as it takes.
for algorithm in pop optimal source none; do
    for what in 1 3 4 7; do
        verified choices -DWHAT=$what --algorithm=$algorithm
    done
    for what in 2 5 6; do
        found choices assertion -DWHAT=$what --algorithm=$algorithm --max-executions=1000
    done
done

# What the creation of a thread leaves on the stack is not the same twice: a frame with memory that nobody
# writes lies there next, below which the thread waits.
cat > created.c << 'END'
#include <pthread.h>
#include <sched.h>
static int pending;
static int swap(int expected, int desired) {
    return __sync_val_compare_and_swap(&pending, expected, desired);
}
static void *send(void *unused) {
    for (int i = 0; i < 2; i++) {
        if (swap(0, 1) == 0) {
            swap(1, 2);
        }
    }
    return unused;
}
static void spin(void) {
    for (;;) {
        for (int i = 0; i < 2; i++) {
            if (swap(2, 0) != 1) {
                return;
            }
        }
        sched_yield();
    }
}
static void receive(void) {
    char bytes[1024];
    (void)bytes;
    spin();
    spin();
}
static void wait_once(void) {
    char events[12288];
    (void)events;
    receive();
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, send, NULL);
    wait_once();
    pthread_join(thread, NULL);
}
END
for seed in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
    checked 0 -w -k --algorithm=sleep-sets --first=random:$seed created.c
done
