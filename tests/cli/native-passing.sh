#!/bin/bash
# Plain accesses of C programs are no steps unless they race; every algorithm counts as before.
. "$(dirname "$0")/../library.sh"

cat > table.c << 'END'
#include <assert.h>
#include <pthread.h>
#include <string.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int table[64], sum;
static void *fill(void *argument) {
    pthread_mutex_lock(&m);
    for (int i = 0; i < 64; i++) {
        table[i] += 1;
    }
    pthread_mutex_unlock(&m);
    return argument;
}
int main(void) {
    pthread_t threads[2];
    memset(table, 0, sizeof table);
    for (int i = 0; i < 2; i++) {
        pthread_create(&threads[i], NULL, fill, NULL);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
    }
    for (int i = 0; i < 64; i++) {
        sum += table[i];
    }
    assert(sum == 128 + FAULT);
    return 0;
}
END
for algorithm in pop optimal source classic sleep-sets observers; do
    checked 0 --json --algorithm=$algorithm -DFAULT=0 table.c
    json '.executions == 2 and .events < 20'
done
expect 0 "$heddle" check --json --algorithm=context -DFAULT=0 table.c
json '.executions <= 2 and .events > 300'

# The counterexample has every access, and replays.
expect 1 "$heddle" check --json --schedule=found -DFAULT=1 table.c
json '[.errors[0].steps[] | select(.kind == "read" and .object == "table[63]" and .value == 1)] | length == 1'
expect 1 "$heddle" replay found
says out 'assertion failed'

# All outcomes of races: every place that races is a step, whatever else is in passing.
cat > racy.c << 'END'
#include <pthread.h>
static int x, y, quiet[8];
static void *one(void *p) { quiet[0] = 1; x = 1; y = 1; return p; }
static void *two(void *p) { quiet[4] = 1; int a = y; int b = x; (void)a; (void)b; return p; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return quiet[0] + quiet[4] - 2;
}
END
expect 1 "$heddle" check racy.c
says out 'data race on [xy]'
for algorithm in pop optimal source observers; do
    checked 0 --json --no-race-check --algorithm=$algorithm racy.c
    json '.executions == 3'
    checked 1 -k --json --algorithm=$algorithm racy.c
    json '.executions == 3 and ([.errors[].kind] | unique) == ["data-race"] and ([.errors[].message | capture("race on (?<name>.)").name] | sort) == ["x", "y"]'
done

# What a thread reads of its own write, when another thread has written in between: of the same
# variable and of a part of it, with and without a mutex on one side, in a function and in libc's.
cat > own.c << 'END'
#include <assert.h>
#include <pthread.h>
#include <string.h>
static union { int whole; char part[4]; } x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *other(void *p) {
    pthread_mutex_lock(&m);
    x.whole = 0x01010101;
    pthread_mutex_unlock(&m);
    return p;
}
static int get(void) { return x.whole; }
int main(void) {
    int copy = 0;
    pthread_t a;
    pthread_create(&a, NULL, other, NULL);
    x.whole = 0;
    if (READ == 4) memcpy(&copy, &x, sizeof copy);
    int seen = READ == 0 ? x.whole : READ == 1 ? x.part[2] : READ == 2 ? get() : READ == 3 ? (x.whole++, x.whole != 1) : copy;
    assert(!seen);
    return pthread_join(a, NULL);
}
END
for algorithm in pop optimal source observers; do
    for read in 0 1 2 3 4; do
        checked 1 --json --no-race-check --algorithm=$algorithm -DREAD=$read own.c
        json '[.errors[].kind] == ["assertion"]'
    done
done
expect 1 "$heddle" check --json -k -j 2 --no-race-check -DREAD=0 own.c
json '.executions == 3'

# A loop of plain accesses lets others continue.
cat > spin.c << 'END'
#include <pthread.h>
static int flag;
static void *set(void *p) { flag = 1; return p; }
int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, set, NULL);
    while (!flag) {
    }
    return pthread_join(a, NULL);
}
END
expect 1 "$heddle" check --schedule=found spin.c
says out 'data race on flag'
expect 1 "$heddle" replay found

# Freed memory: a block used by one thread and freed by another, in either order.
cat > freed.c << 'END'
#include <pthread.h>
#include <stdlib.h>
static int *block;
static void *use(void *p) { *block = 1; return p; }
int main(void) {
    pthread_t a;
    block = malloc(SIZE);
    pthread_create(&a, NULL, use, NULL);
    free(block);
    return pthread_join(a, NULL);
}
END
for size in 4 100000; do
    expect 1 "$heddle" check --json -k -DSIZE=$size freed.c
    json '([.errors[].kind] | unique) == ["data-race", "use-after-free"]'
done

# An access that a thread repeats counts again when something came in between: the block was
# freed; a copy had a private target before; another thread was created.
cat > again.c << 'END'
#include <pthread.h>
#include <stdlib.h>
struct pair { long a, b; };
static struct pair from = {1, 2}, to;
static long x;
static void put(long *at) { *at = 1; }
static void copy(struct pair *target) { *target = from; }
static void *other(void *p) { *(KIND == 2 ? &to.b : &x) = 3; return p; }
static void *run(void *p) {
    pthread_t created;
    struct pair own;
    long *at = KIND == 1 ? malloc(SIZE) : &x;
    put(at);
    copy(&own);
    if (KIND == 1) {
        free(at);
    } else {
        pthread_create(&created, NULL, other, NULL);
    }
    copy(&to);
    put(at);
    return p;
}
int main(void) {
    pthread_t first;
    pthread_create(&first, NULL, run, NULL);
    return 0;
}
END
for kind in 'use-after-free 1 8' 'use-after-free 1 100000' 'data-race 2 8' 'data-race 3 8'; do
    read -r error number size <<< "$kind"
    expect 1 "$heddle" check --json -DKIND=$number -DSIZE=$size again.c
    json ".errors[0].kind == \"$error\""
done

# A replay knows less than the check did: that there is a lock in a struct that is assigned before it
# is initialised, and (unless the schedule says so) which places race.
cat > known.c << 'END'
#include <pthread.h>
#include <stdlib.h>
typedef struct item {
    long id;
    pthread_mutex_t lock;
    char text[200];
} item;
static item *shared;
static int go;
static struct triple { int a, b, c, d, e; } first, second, third;
static void *run(void *p) {
#if WAY == 1
    go = 1;
    shared->id = 2;
#else
    first = second = third;
#endif
    return p;
}
int main(void) {
    pthread_t thread;
    shared = malloc(sizeof *shared);
#if WAY == 1
    *shared = (item){.id = 1};
#endif
    pthread_mutex_init(&shared->lock, NULL);
    pthread_create(&thread, NULL, run, NULL);
#if WAY == 1
    go = 2;
#else
    second.e = 1;
#endif
    pthread_join(thread, NULL);
    free(shared);
}
END
for way in 1 2; do
    expect 1 "$heddle" check -k --algorithm=optimal --first=highest --schedule=found -DWAY=$way known.c
    expect 1 "$heddle" replay found
    says out '^Replayed .* as recorded'
done
expect 1 "$heddle" check --schedule=found -DWAY=1 known.c
says found 'write shared->id \(248 bytes\)'
expect 1 "$heddle" replay found
