#!/bin/bash
# Messages call a thread as the table and the schedule do, also threads that threads create.
. "$(dirname "$0")/../library.sh"

cat > children.c << 'END'
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int x, *block;

static void *leaf(void *argument) {
#if defined RACE
    x = 1;
#elif defined LOCAL
    *(int *)argument = 1;
#elif defined MEMORY
    block = malloc(4);
    free(block);
#else
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
#endif
    return argument;
}

static void *branch(void *argument) {
    pthread_t child;
    int local = 0;
    pthread_create(&child, NULL, leaf, &local);
#ifdef LOCAL
    local = 2;
#endif
    pthread_join(child, NULL);
    return argument;
}

static void *idle(void *argument) {
    return argument;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, idle, NULL);
    pthread_create(&second, NULL, branch, NULL);
#ifdef RACE
    x = 2;
#elif !defined LOCAL && !defined MEMORY
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
#endif
    pthread_join(first, NULL);
    pthread_join(second, NULL);
#ifdef MEMORY
    *block = 1;
#endif
    return x;
}
END
expect 1 "$heddle" check -DRACE children.c
says out 'data race on x: .* by T2\.1 at children\.c:9'
expect 1 "$heddle" check -DLOCAL children.c
says out 'data race on .*(T2\.1 at .*T2 at|T2 at .*T2\.1 at)'
expect 1 "$heddle" check -DMEMORY --schedule=found children.c
says out 'allocated by T2\.1 at children\.c:13, freed by T2\.1 at children\.c:14'
expect 1 "$heddle" replay found
expect 1 "$heddle" check --json children.c
json '.errors[0].message | test("T2\\.1 waits for a, held by main")'
for name in RACE LOCAL MEMORY DEADLOCK; do
    expect 1 "$heddle" check --full -D$name -k children.c
    ! grep -E 'T3' out || fail "a thread is called by its number"
done

# A thread that is named by another one has its name before or after it asks; without the question a
# name is no step, nor is one that threads give to themselves.
cat > asked.c << 'END'
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <string.h>
static int late;
static void *run(void *unused) {
    char name[16] = "";
#ifdef OWN
    pthread_setname_np(pthread_self(), "own");
#endif
#ifndef SILENT
    pthread_getname_np(pthread_self(), name, sizeof name);
#endif
    late = strcmp(name, "late") == 0;
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
#ifndef OWN
    pthread_setname_np(thread, "late");
#else
    pthread_setname_np(pthread_self(), "late");
#endif
    pthread_join(thread, NULL);
    assert(late != EXCLUDED);
    return 0;
}
END
for algorithm in pop optimal source none; do
    expect 1 "$heddle" check --algorithm=$algorithm -DEXCLUDED=0 asked.c
    expect 1 "$heddle" check --algorithm=$algorithm -DEXCLUDED=1 asked.c
done
for flags in "" -DOWN -DSILENT; do
    expect 0 "$heddle" check --json $flags -DEXCLUDED=2 asked.c
    json ".executions == $([ "$flags" ] && echo 1 || echo 2)"
done
