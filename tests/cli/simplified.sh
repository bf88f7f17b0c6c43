#!/bin/bash
# Schedules are simplified by running the program again: fewer switches, no steps that the error does
# not need, the same error; and the step after which it cannot be avoided is the right one.
. "$(dirname "$0")/../library.sh"

switches() { json "[.errors[0].steps[].thread] as \$t |
    [range(1; \$t | length) | select(\$t[.] != \$t[. - 1])] | length == $1"; }
unavoidable() { json ".errors[0].unavoidable_after == $1"; }
replays() { # the schedule of the report shows the same error
    jq -r '.errors[0].schedule' < out > schedule
    jq -r '.errors[0].message' < out > message
    expect 1 "$heddle" replay schedule
}

# Threads that have nothing to do with it are left out, whatever the order in which it was found.
cat > noise.heddle << 'END'
shared x = 0, y[4];
thread p { local t = x; x = t + 1; }
thread q { local t = x; x = t + 1; }
thread noise(i in 1..3) { local n; for (n = 0; n < 5; n++) { y[i] = n; } }
thread main { join p; join q; assert(x == 2); }
END
for first in lowest highest round-robin random:1 random:2 random:3; do
    expect 1 "$heddle" check --json --first=$first noise.heddle
    json '[.errors[0].steps[].thread] | unique == ["main", "p", "q"]'
    json '.errors[0].steps | length == 7'
    switches 3
    unavoidable 2
    replays
done

# Programs of which the fewest switches are known: the switches without which no schedule has the error. What a thread
# does after its part in the error is left out: the join of a thread, the rounds of a loop.
cat > chain.heddle << 'END'
shared a = 0, b = 0, c = 0;
thread p { a = 1; local t = c; if (t == 1) { assert(b == 0); } }
thread q { local t = a; if (t == 1) { b = 1; } }
thread r { local t = b; if (t == 1) { c = 1; } }
END
cat > tail.c << 'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y, noise;
static void *one(void *a) { x = 1; noise = 3; noise = 4; return a; }
static void *two(void *a) { int s = x; assert(s == 0); return a; }
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, one, 0);
    pthread_create(&u, 0, two, 0);
    y = 1;
    pthread_join(t, 0);
    y = 2;
    pthread_join(u, 0);
}
END
cat > take.c << 'END'
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int items;
static void *take(void *a) {
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&m); int have = items; pthread_mutex_unlock(&m);
        if (have) { pthread_mutex_lock(&m); items--; assert(items >= 0); pthread_mutex_unlock(&m); }
    }
    return a;
}
static void *give(void *a) {
    for (int i = 0; i < 2; i++) { pthread_mutex_lock(&m); items++; pthread_mutex_unlock(&m); }
    return a;
}
int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, i < 2 ? take : give, 0);
    for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
}
END
cat > pipe.c << 'END'
#include <pthread.h>
#include <unistd.h>
static int ends[2];
static void *reader(void *a) { char c; read(ends[0], &c, 1); read(ends[0], &c, 1); return a; }
int main(void) {
    pthread_t t;
    pipe(ends);
    pthread_create(&t, 0, reader, 0);
    write(ends[1], "x", 1);
    pthread_join(t, 0);
}
END
cp "$root/tests/native/spin/ring.c" .
while read -r file fewest steps; do
    for first in lowest highest random:5; do
        expect 1 "$heddle" check --json --first=$first $file
        switches "$fewest"
        json ".errors[0].steps | length <= $steps"
    done
done << 'END'
chain.heddle 3 7
tail.c 2 4
take.c 4 34
pipe.c 1 8
ring.c 2 14
END

# All steps of a deadlock stay; threads run in one go as far as they can.
for first in lowest round-robin random:7; do
    expect 1 "$heddle" check --json --first=$first --program='wx1 wx2 l0 wx3 l1 u1 u0 / wy1 wy2 l1 wy3 l0 u0 u1 / wz1 wz2 wz3'
    json '.errors[0].kind == "deadlock" and (.errors[0].steps | length == 11)'
    switches 2
    replays
done

# Errors that every schedule has; that the last step decides; that are decided at the beginning.
expect 1 "$heddle" check --json --program='l0 l0 / wx1'
unavoidable 0
cat > late.heddle << 'END'
shared x = 0;
thread p { x = 1; x = 2; x = 0; }
thread q { local a = x; assert(a == 0); }
END
expect 1 "$heddle" check --json late.heddle
unavoidable '(.errors[0].steps | length)'
cat > early.heddle << 'END'
shared x = 0, y = 0;
thread p { x = 1; }
thread q { local a = x; y = 1; y = 2; y = 3; if (a == 0) { assert(0); } }
END
expect 1 "$heddle" check --json early.heddle
unavoidable 1

# Both have read turn when q writes 2; only p's write is left, which makes it 1.
cat > decided.heddle << 'END'
shared a = 0, b = 0, turn = 0;
thread p { a = 1; local seen = b; if (seen == 0) { turn = turn + 1; } }
thread q { b = 1; local seen = a; if (seen == 1) { turn = turn + 2; } }
thread main { join p; join q; assert(turn != 1); }
END
expect 1 "$heddle" check --json decided.heddle
unavoidable 7
json '.errors[0].steps[6] | [.thread, .kind, .object, .value] == ["q", "write", "turn", 2]'
replays

# C programs; a loop that waits does not hold it up.
cat > wait.c << 'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag, x;
static void *t(void *unused) {
    (void)unused;
    int seen = atomic_load(&x);
    atomic_store(&x, seen + 1);
    atomic_fetch_add(&flag, 1);
    return 0;
}
int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, t, 0);
    pthread_create(&other, 0, t, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    assert(atomic_load(&x) == 2);
}
END
expect 1 "$heddle" check --json wait.c
unavoidable 4
replays

# A race with a free, which was found in passing, as part of the step before it: it is called a free there, too.
cat > released.c << 'END'
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static void *release(void *users) {
    atomic_fetch_sub((atomic_int *)users, 1);
    if (atomic_load((atomic_int *)users) == 0) free(users);
    return NULL;
}
int main(void) {
    pthread_t one, other;
    atomic_int *users = malloc(sizeof *users);
    *users = 2;
    pthread_create(&one, NULL, release, users);
    pthread_create(&other, NULL, release, users);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
}
END
expect 1 "$heddle" check --json released.c
json '.errors[0].message | test("free by T[12] at released.c:6, atomic read by T[12]")'
switches 2
replays

# Weak memory models: the same, in orders in which every step comes after what it reads. By hand: the writer, the reader
# and, where there is one, main, each in one piece; what decides is the read of the old value.
cat > weak.c << 'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y, other, noise;
#define PUT(v, n) atomic_store_explicit(&v, n, memory_order_relaxed)
#define GET(v) atomic_load_explicit(&v, memory_order_relaxed)
static void *add(void *a) { noise++; noise++; return a; }
static void *put(void *a) { PUT(x, 1); PUT(y, 1); PUT(other, 1); PUT(other, 2); return a; }
static void *get(void *a) { int seen = GET(y), value = GET(x); assert(!seen || value); return a; }
int main(void) {
    void *(*const functions[])(void *) = {add, put, add, get};
    pthread_t t[4];
    for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, functions[i], 0);
    for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
}
END
cat > weak.heddle << 'END'
shared x = 0, y = 0, bad = 0, noise = 0;
thread add { noise = 1; noise = 2; }
thread get { local seen = load(y, relaxed); local value = load(x, relaxed); store(bad, seen && !value, relaxed); }
thread put { store(x, 1, relaxed); noise = 3; store(y, 1, relaxed); noise = 4; }
thread main { join get; local b = load(bad, relaxed); assert(!b); }
END
expect 1 "$heddle" check --json --model=rc11 weak.c
json '[.errors[0].steps[] | [.thread, .kind]] == [["main", "spawn"], ["main", "spawn"], ["main", "spawn"],
    ["main", "spawn"], ["T2", "write"], ["T2", "write"], ["T4", "read"], ["T4", "read"]]'
unavoidable 8
replays
expect 1 "$heddle" check --json --model=rc11 weak.heddle
json '[.errors[0].steps[].thread] == ["put", "put", "put", "get", "get", "get", "main", "main"]'
unavoidable 5
replays
# What is not atomic, and done between these steps, does not separate them either.
expect 1 "$heddle" check --json --model=rc11 "$root/tests/findings/weak/reclaim.c"
switches 1
unavoidable 0
replays
# A deadlock needs all steps, in any order.
expect 1 "$heddle" check --json --model=tso "$root/tests/findings/weak/lost-wakeup.c"
switches 1
unavoidable 6
replays

# Memory that was never written: the steps that lead to where runs differ, without the thread that has no part in it.
cat > unwritten.c << 'END'
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int small, large, noise;
static int *values;
static void *make(void *a) { values = malloc(2 * sizeof *values); values[0] = 1; return a; }
static void *add(void *a) { noise++; noise++; return a; }
int main(void) {
    pthread_t maker, adder;
    pthread_create(&adder, 0, add, 0);
    pthread_create(&maker, 0, make, 0);
    pthread_join(maker, 0);
    if (values[1] < 5) small = 1; else large = 1;
    pthread_join(adder, 0);
    free(values);
}
END
for algorithm in pop context; do
    expect 1 "$heddle" check --json --algorithm=$algorithm unwritten.c
    json '.errors[0].kind == "uninitialised" and ([.errors[0].steps[] | select(.line >= 10) | [.thread, .kind, .line]] ==
        [["main", "spawn", 10], ["main", "spawn", 11], ["main", "join", 12], ["main", "read", 13], ["main", "read", 13],
         ["main", "write", 13]])'
    json '[.errors[0].steps[].thread] | unique == ["T2", "main"]'
    switches 2
    replays
done

# The documents show what is printed.
cd "$root"
"$heddle" check examples/bank.c | sed '/^$/,$d' > "$folder/bank" || true
"$heddle" check examples/lost-update.heddle | sed '/^$/,$d' > "$folder/lost" || true
for shown in bank lost; do
    while IFS= read -r line; do
        grep -qxF -- "$line" README.md || fail "README.md does not have: $line"
    done < "$folder/$shown"
done
