#!/bin/bash
# Steps that touch many words of memory: who overwrites whom is seen wherever somebody looks.
. "$(dirname "$0")/../library.sh"

cat > wide.c << 'END'
#include <assert.h>
#include <pthread.h>
#include <string.h>
static char buf[1024];
static void *fills(void *value) {
    memset(buf, (int)(long)value, sizeof buf);
    return NULL;
}
static int first, second, third;
static void *looks(void *unused) {
    first = buf[1000], second = buf[1000];
    return unused;
}
static void *peeks(void *unused) {
    third = buf[0];
    return unused;
}
int main(void) {
    pthread_t t[4];
    pthread_create(&t[0], NULL, fills, (void *)1);
    pthread_create(&t[1], NULL, fills, (void *)2);
    pthread_create(&t[2], NULL, looks, NULL);
    pthread_create(&t[3], NULL, peeks, NULL);
    for (int i = 0; i < 4; i++) pthread_join(t[i], NULL);
    assert(!(first == F && second == S && third == T && buf[500] == X));
}
END
values() { echo "-DF=$1 -DS=$2 -DT=$3 -DX=$4"; }
for algorithm in optimal observers pop context-observers; do
    for first in lowest highest; do
        for seen in "0 1 0 1" "0 1 0 2" "0 2 0 1" "0 2 0 2" "1 1 0 1" "1 2 0 2" "2 1 0 1" "2 2 0 1"; do
            expect 1 "$heddle" check --no-race-check --algorithm=$algorithm --first=$first \
                $(values $seen) wide.c
        done
        expect 0 "$heddle" check --no-race-check --algorithm=$algorithm --first=$first \
            $(values 1 0 0 1) wide.c
    done
done

# The same of abstract programs.
cat > wide.heddle << 'END'
shared b[150];
thread p { b[0..149] = 1; }
thread q { b[0..149] = 2; }
thread r { local x = b[149], y = b[149]; if (x == 0) { if (y == 1) { assert(b[75] != 2); } } }
thread s { local z = b[0]; }
END
for algorithm in none source optimal observers pop; do
    expect 1 "$heddle" check --algorithm=$algorithm wide.heddle
done
expect 2 "$heddle" check --algorithm=pop <(sed 's/149\] = 1/150] = 1/' wide.heddle)

# Ranges above 4 KiB: what threads write while there are others conflicts as a whole; what main writes before
# it creates any, and what is only compared with another run, takes no memory for each of its granules.
cat > large.c << 'END'
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
static char *buf;
static void *fills(void *value) {
    char *own = malloc(SIZE);
    memset(own, 3, SIZE);
    free(own);
    if (CLASH) memset(buf, (int)(long)value, SIZE);
    return NULL;
}
int main(void) {
    pthread_t t[2];
    buf = malloc(SIZE);
    memset(buf, 4, SIZE);
    for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, fills, (void *)(long)i);
    for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
    assert(buf[SIZE - 1] == (CLASH ? 1 : 4));
    free(buf);
}
END
for algorithm in pop optimal observers source; do
    checked 1 --no-race-check --algorithm=$algorithm -DSIZE=10000 -DCLASH=1 large.c
    checked 0 --no-race-check --algorithm=$algorithm -DSIZE=10000 -DCLASH=0 large.c
done
expect 1 "$heddle" check -DSIZE=10000 -DCLASH=1 large.c
says out "data-race"
expect 0 "$heddle" check --json -j 1 -DSIZE=33554432 -DCLASH=0 large.c
json ".peak_bytes < 9 * 33554432"

# Under weak memory models, the allocation of a large block costs nothing for each of its words; a thread that got the
# address by a relaxed access may access it atomically.
cat > relaxed.c << 'END'
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#define SIZE (100 << 20)
static void *_Atomic p;
static void *uses(void *unused) {
    atomic_int *q = atomic_load_explicit(&p, memory_order_relaxed);
    if (q && WAY == 1) ((char *)q)[SIZE - 1] = 1;
    if (q && WAY == 2) atomic_fetch_add_explicit(&q[SIZE / 8], 1, memory_order_relaxed);
    if (q && WAY == 3) free(q);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, uses, NULL);
    atomic_store_explicit(&p, malloc(SIZE), memory_order_relaxed);
    pthread_join(thread, NULL);
}
END
for way in 1 2 3; do
    expect $((way != 2)) "$heddle" check --model=rc11 --json -j 1 -DWAY=$way relaxed.c
    json ".peak_bytes < 100000000"
done
expect 1 "$heddle" check --model=rc11 -DWAY=1 relaxed.c
says out 'data race on block of 104857600 bytes'
