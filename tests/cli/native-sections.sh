#!/bin/bash
# What programs do inside atomic sections: choices, locks, memory from the heap, assumptions, the end
# of the thread. What cannot be done is not a bug of the program.
. "$(dirname "$0")/../library.sh"

cat > section.c << 'END'
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, k = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int x, y;
int __VERIFIER_nondet_int(void); _Bool __VERIFIER_nondet_bool(void); void __VERIFIER_assume(int); void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);
static void *t(void *u) {
    __VERIFIER_atomic_begin();
#ifdef CHOICE
    int a = heddle_choose(3), b = a ? heddle_choose(2) : 0;
    x = a * 10 + b;
    assert(x != CHOICE);
#endif
#ifdef ASSUME
    x = __VERIFIER_nondet_bool();
    __VERIFIER_assume(x);
    assert(x);
#endif
#ifdef MALLOC
    int *p = malloc(100); p[3] = 1; x += p[3]; free(p);
#endif
#ifdef LOCK
    pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);
#endif
#ifdef TWO
    pthread_mutex_lock(&m); pthread_mutex_lock(&k); x = 1; pthread_mutex_unlock(&k); pthread_mutex_unlock(&m);
#endif
#ifdef TRY
    if (pthread_mutex_trylock(&m) == 0) { x++; pthread_mutex_unlock(&m); }
#endif
#ifdef CREATE
    pthread_t w; pthread_create(&w, 0, t, 0);
#endif
#ifdef WAIT
    pthread_mutex_lock(&m); pthread_cond_wait(&c, &m);
#endif
#ifdef SIGNAL
    x = 1; pthread_cond_signal(&c);
#endif
#ifdef END
    x = 1; pthread_exit(0);
#endif
#ifdef MANY
    for (int i = 0; i < 20; i++) x += heddle_choose(2);
#endif
    __VERIFIER_atomic_end();
    return u;
}
static void *o(void *u) {
#ifdef SIGNAL
    pthread_mutex_lock(&m);
    if (!x) pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
#elif defined TWO
    pthread_mutex_lock(&k); y = x;
#ifdef FIRST
    assert(!y);
#endif
#else
    pthread_mutex_lock(&m);
    __VERIFIER_atomic_begin(); x += 5;  __VERIFIER_atomic_end();
    pthread_mutex_unlock(&m);
#endif
    return u;
}
static void *q(void *u) {
#ifdef TWO
    pthread_mutex_lock(&m); 
#endif
    return u;
}
int main(void) {
    pthread_t a, b, d;
    pthread_create(&a, 0, t, 0);
    pthread_create(&b, 0, o, 0);
    pthread_create(&d, 0, q, 0);
#ifndef TWO
    pthread_join(a, 0); pthread_join(b, 0);
#endif
    return 0;
}
END
algorithms="none source classic optimal observers pop context context-source context-observers"
flags="--no-race-check -k --json"

# All combinations of choices, and no other: 0, 10, 11, 20, 21.
for algorithm in $algorithms; do
    for value in 0 10 11 20 21; do
        checked 1 $flags --algorithm=$algorithm -DCHOICE=$value section.c
    done
    for value in 1 2 22; do
        checked 0 $flags --algorithm=$algorithm -DCHOICE=$value section.c
    done
    checked 0 $flags --algorithm=$algorithm -DASSUME section.c
    json '.assume_blocked > 0'
    for what in MALLOC END; do
        checked 0 $flags --algorithm=$algorithm -D$what section.c
    done
done
expect 1 "$heddle" check --no-race-check --schedule=found -DCHOICE=21 section.c
expect 1 "$heddle" replay found

# Locks: the section waits; all interleavings are explored, and that is said.
for algorithm in optimal observers pop context source; do
    for what in LOCK TRY TWO; do
        checked 0 $flags --algorithm=$algorithm -D$what section.c
        json '.algorithm == "none" and .deadlocks == 0'
        json '.notes | any(contains("an atomic section locks"))'
    done
    checked 1 $flags --algorithm=$algorithm -DTWO -DFIRST section.c # it can be first
    checked 1 $flags --algorithm=$algorithm -DSIGNAL section.c
    json '.errors | all(.kind == "deadlock")'
done

# An outcome of a choice that waits forever is a deadlock, though the other one would not wait.
cat > choice.c << 'END'
#include <heddle.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);
static void *t(void *u) {
    __VERIFIER_atomic_begin();
    if (heddle_choose(2)) { pthread_mutex_lock(&m); heddle_choose(2); pthread_mutex_unlock(&m); }
    __VERIFIER_atomic_end();
    return u;
}
int main(void) {
    pthread_t a, b;
    pthread_mutex_lock(&m);
    pthread_create(&a, 0, t, 0);
    pthread_create(&b, 0, t, 0);
#ifdef RELEASED
    pthread_mutex_unlock(&m);
#endif
    pthread_join(a, 0);
    return 0;
}
END
for algorithm in $algorithms; do
    checked 0 $flags --algorithm=$algorithm -DRELEASED choice.c
    json '.deadlocks == 0'
    checked 1 $flags --algorithm=$algorithm choice.c
    json '.errors | all(.kind == "deadlock")'
done
expect 1 "$heddle" check --schedule=found choice.c
expect 1 "$heddle" replay found

# Not supported: named, with its place.
while read -r what words; do
    expect 2 "$heddle" check --no-race-check -D$what section.c
    says err "unsupported: $words at .*section\.c:[0-9]+"
done << 'END'
CREATE pthread_create inside an atomic section
WAIT waiting for a condition inside an atomic section
MANY an atomic section with more than 65536 alternatives
END

# Sections are tried before they are executed: what they print appears once.
cat > prints.c << 'END'
#include <assert.h>
#include <heddle.h>
#include <stdio.h>
int main(void) {
    heddle_atomic_begin();
    puts("printed");
    heddle_atomic_end();
    assert(0);
}
END
expect 1 "$heddle" check --schedule=found prints.c
expect 1 "$heddle" replay found
[ "$(grep -c '^printed$' out)" = 1 ] || fail "a section prints more than once"

# What a section has accessed is kept once, however long it goes on, and undone as if it had been kept each time.
cat > many.c << 'E'
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
static int cells[20000], end, toggled;
static unsigned char bytes[64];
static void change(unsigned char *at) {
    for (int i = 0; i < 60000; i++) {
        *(int *)&at[i * 7 % 61 & ~3] += 1;
        at[i % 50]++;
    }
}
static void *body(void *unused) {
    heddle_atomic_begin();
    for (int i = 0; i < 60000; i++) {
        cells[i % 20000]++;
    }
    change(bytes);
    while (STAYS && !end) {
        toggled = !toggled;
    }
    heddle_atomic_end();
    return unused;
}
int main(void) {
    unsigned char own[64] = {0};
    pthread_t one, other;
    pthread_create(&one, NULL, body, NULL);
    pthread_create(&other, NULL, body, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    change(own);
    change(own);
    for (int i = 0; i < 64; i++) {
        assert(bytes[i] == own[i]);
    }
    for (int i = 0; i < 20000; i++) {
        assert(cells[i] == 6);
    }
}
E
expect 0 "$heddle" check -DSTAYS=0 --json many.c
json '.executions == 2'
expect 1 "$heddle" check -DSTAYS=1 --json --watchdog=1 many.c
json '.errors[0].kind == "hang" and .peak_bytes < 300000000'
