#!/bin/bash
# Options about what is reported of C programs: races that are left out, volatile variables, allocations
# that fail; and one race is one finding, whichever threads it is and whichever comes first.
. "$(dirname "$0")/../library.sh"
cat > flag.c << 'END'
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static volatile int ready;
static int data, hits[2];
static void *work(void *unused) {
    hits[0]++;
    return unused;
}
static void *send(void *unused) {
    data = 5;
    ready = 1;
    return work(unused);
}
static void await(void) {
    while (!ready) {
    }
}
int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, send, NULL);
    pthread_create(&threads[1], NULL, work, NULL);
    await();
    assert(data == 5);
    int *block = malloc(sizeof *block);
#ifdef CHECKED
    if (!block) {
        return 0;
    }
#endif
    *block = data;
    free(block);
    return 0;
}
END
expect 1 "$heddle" check -k --json flag.c
json '[.errors[].message | select(startswith("data race on hits"))] | length == 2'
json '[.errors[].message | select(startswith("data race on ready"))] | length == 1'
expect 1 "$heddle" check -k --json --volatile=atomic flag.c
json '[.errors[].message | startswith("data race on hits[0]")] == [true, true]'
for place in hits work flag.c:7; do
    expect 0 "$heddle" check --json --volatile=atomic --ignore-race=$place flag.c
    json '.verdict == "verified" and (.warnings | any(endswith("because of --ignore-race")))'
done
expect 0 "$heddle" check --volatile=atomic --ignore-race=hits flag.c
says out '2 data races were ignored'
expect 1 "$heddle" check --volatile=atomic --ignore-race=hit flag.c
expect 1 "$heddle" check --volatile=atomic --ignore-race=hits --malloc-fails --schedule=found flag.c
says out 'segmentation fault'
expect 1 "$heddle" replay found
says out 'segmentation fault'
expect 0 "$heddle" check --volatile=atomic --ignore-race=hits --malloc-fails -DCHECKED flag.c
expect 2 "$heddle" check --volatile=sometimes flag.c
says err 'expected plain or atomic'

# Volatile accesses to thread-local variables, locals and large blocks are atomic as well.
cat > places.c << 'END'
#include <pthread.h>
#include <stdlib.h>
static __thread long own;
static void *work(void *argument) {
    long *shared = argument;
    *(volatile long *)shared = 1;
    return NULL;
}
int main(void) {
    pthread_t thread;
    long local = 0, *block = calloc(1000, sizeof *block);
    long *place = PLACE == 0 ? &own : PLACE == 1 ? &local : block + 10;
    pthread_create(&thread, NULL, work, place);
    long seen = *(volatile long *)place;
    pthread_join(thread, NULL);
    free(block);
    return seen > 1;
}
END
for place in 0 1 2; do
    expect 1 "$heddle" check -DPLACE=$place places.c
    says out 'data race'
    expect 0 "$heddle" check --volatile=atomic -DPLACE=$place places.c
done

# Flags of the compiler with a path, as the next argument or in the same; schedules have them too.
mkdir -p headers
cat > headers/given.h << 'END'
#define GIVEN 1
END
cat > given.c << 'END'
#ifdef SYSTEM
#include <given.h>
#endif
#ifdef QUOTE
#include "given.h"
#endif
#include <assert.h>
int main(void) {
    assert(!GIVEN);
}
END
for flag in '-include headers/given.h' '-includeheaders/given.h' '-imacros headers/given.h' \
    '-DSYSTEM -isystem headers' '-DSYSTEM -idirafter headers' '-DQUOTE -iquote headers'; do
    # shellcheck disable=SC2086 # several words
    expect 1 "$heddle" check $flag --schedule=given.schedule given.c
    says out 'assertion failed: !GIVEN'
    expect 1 "$heddle" replay given.schedule
    says out 'assertion failed: !GIVEN'
done
