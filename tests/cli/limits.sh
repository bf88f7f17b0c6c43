#!/bin/bash
# Limits that are reached are named, and the verdict is "incomplete", never wrong: in the torture
# build, where they can be set to 2; those that a test can reach by itself also as they are.
. "$(dirname "$0")/../library.sh"
torture=$root/build/torture/heddle
[ -x "$torture" ] || make -s -C "$root" MODE=torture all > make.log 2>&1 || fail "$(cat make.log)"

# incomplete LIMITS WORDS ARGUMENTS…
incomplete() {
    expect 3 env HEDDLE_LIMITS="$1" "$torture" check --json "${@:3}"
    json '.verdict == "incomplete"'
    says out "$2"
}

cat > objects.c << 'END'
#include <pthread.h>
#include <stdatomic.h>
static atomic_long x, y, z;
static void *run(void *unused) {
    x++, y++, z++;
    return unused;
}
int main(void) {
    pthread_t other;
    pthread_create(&other, 0, run, 0);
    run(0);
    pthread_join(other, 0);
    return 0;
}
END
expect 0 "$torture" check objects.c
incomplete objects=2 'more objects than heddle can number' objects.c
incomplete events=2 'more events than heddle can count' objects.c
incomplete events=2 'more events than heddle can count' --program='wx1 rx / rx wx2'
for algorithm in pop optimal observers context source classic none; do
    incomplete events=2 'more events' --algorithm=$algorithm --program='wx1 rx / rx wx2'
done
incomplete memory=2 'memory limit' --program='wx1 rx / rx wx2'
# A bug that was found stays one.
expect 1 env HEDDLE_LIMITS=text=2 "$torture" check -k --program='l0 l1 / l1 l0'

# A text that is longer than heddle's buffer: cut, and said.
cat > text.c << 'END'
#include <stdio.h>
#include <string.h>
static char from[LENGTH], to[LENGTH + 1];
int main(void) {
    memset(from, 'a', LENGTH - 1);
    sprintf(to, "%s", from);
    return 0;
}
END
expect 0 "$heddle" check -DLENGTH=60000 text.c
expect 3 "$heddle" check -DLENGTH=70000 text.c
says out 'longer than 65535 bytes'
incomplete text=2 'longer than 65535 bytes' -DLENGTH=10 text.c

# An atomic load of many bytes into memory that others see.
cat > atomic.c << 'END'
#include <pthread.h>
#include <stdatomic.h>
typedef struct large {
    char bytes[SIZE];
} large;
static _Atomic large shared;
static large seen;
static void *load(void *unused) {
    seen = atomic_load(&shared);
    return unused;
}
int main(void) {
    pthread_t other;
    large value = {{0}};
    pthread_create(&other, 0, load, 0);
    atomic_store(&shared, value);
    pthread_join(other, 0);
    return seen.bytes[0];
}
END
expect 0 "$heddle" check -DSIZE=200 atomic.c -latomic
