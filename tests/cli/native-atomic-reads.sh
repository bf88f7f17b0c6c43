#!/bin/bash
# Atomic objects that gcc reads plainly: the function of a call, and the operands of a[i].
. "$(dirname "$0")/../library.sh"

cat > reads.c << 'EOF'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
typedef int (*function)(int);
struct queue { _Atomic unsigned head; _Atomic(function) f; _Atomic(int *) base; _Atomic(function) all[2]; };
static int one(int x) { return x + 1; }
static int two(int x) { return x + 2; }
static int numbers[4] = {0, 1, 2, 3};
static _Atomic short place;
static _Atomic(function) global = one;
static void *writer(void *argument) {
    struct queue *q = argument;
    q->head = 1;
    q->f = two;
    q->base = numbers + 1;
    q->all[1] = two;
    place = 2;
    return NULL;
}
int main(void) {
    pthread_t thread;
    struct queue *q = calloc(1, sizeof *q);
    q->f = one;
    q->base = numbers;
    q->all[1] = one;
    pthread_create(&thread, NULL, writer, q);
    int sum = numbers[q->head] + q->f(1) + q->base[1] + q->all[1](3) + numbers[place];
    global(1);
    assert(sum < LIMIT);
    pthread_join(thread, NULL);
    free(q);
    return 0;
}
EOF
for level in "" --optimize; do
    for algorithm in pop optimal; do
        checked 0 $level --algorithm=$algorithm -DLIMIT=14 reads.c
        says out 'complete executions explored: 32$'
        checked 1 $level --algorithm=$algorithm -DLIMIT=13 reads.c
        says out 'assertion failed: sum < LIMIT'
    done
    expect 0 "$heddle" check $level --model=rc11 -DLIMIT=14 reads.c
    says out 'complete executions explored: 32$'
done

# What is not atomic in the same expression still races; and so do plain reads of an atomic object.
cat > races.c << 'EOF'
#include <pthread.h>
#include <stdatomic.h>
static int *_Atomic base;
static int numbers[4];
static long plain;
static atomic_long counter;
static void *writer(void *unused) {
    base = numbers;
    counter = 1;
#ifdef INDEX
    plain = 1;
#endif
    return unused;
}
int main(void) {
    pthread_t thread;
    base = numbers;
    pthread_create(&thread, NULL, writer, NULL);
    int sum = base[plain] + base[counter];
    base[counter] += 1;
#ifdef PLAIN
    sum += *(long *)&counter;
#endif
    pthread_join(thread, NULL);
    return sum;
}
EOF
for level in "" --optimize; do
    expect 0 "$heddle" check $level races.c
    expect 1 "$heddle" check $level -DINDEX races.c
    says out 'data race on plain'
    expect 1 "$heddle" check $level -DPLAIN races.c
    says out 'data race on counter'
done

# Volatile objects, what cannot be compiled twice, and other debug information.
cat > volatile.c << 'EOF'
#include <pthread.h>
static _Atomic volatile int place;
static volatile int plain;
static int zero(void) { return 0; }
static int (*volatile _Atomic function)(void) = zero;
#ifdef TWICE
struct s { int (*_Atomic *p)(void); int y; };
_Static_assert(_Generic((int volatile _Atomic *)0, int volatile *: 0, default: 1), "");
#endif
static int numbers[2];
static void *writer(void *unused) {
    place = 1;
    function = zero;
#ifdef PLAIN
    plain = 1;
#endif
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    int sum = numbers[place] + function() + numbers[plain];
    pthread_join(thread, 0);
    return sum;
}
EOF
for level in "" --optimize; do
    for algorithm in pop optimal; do
        checked 0 $level --algorithm=$algorithm volatile.c
        says out 'complete executions explored: 4$'
    done
    expect 1 "$heddle" check $level -DPLAIN volatile.c
    says out 'data race on plain'
done
expect 0 "$heddle" check --volatile=atomic volatile.c
expect 0 "$heddle" check --volatile=atomic -gdwarf-4 -O2 -pipe -Werror -Wall -Wextra -DTWICE volatile.c
