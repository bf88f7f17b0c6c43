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

# A text that is longer than heddle's buffer: cut, with a warning.
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
typedef struct large {
    char bytes[SIZE];
} large;
static large shared, seen;
static void *load(void *unused) {
    __atomic_load(&shared, &seen, __ATOMIC_SEQ_CST);
    return unused;
}
int main(void) {
    pthread_t other;
    large value = {{0}};
    pthread_create(&other, 0, load, 0);
    __atomic_store(&shared, &value, __ATOMIC_SEQ_CST);
    pthread_join(other, 0);
    return seen.bytes[0];
}
END
expect 0 "$heddle" check -DSIZE=200 atomic.c -latomic
expect 3 "$heddle" check -DSIZE=300 atomic.c -latomic
says out 'more than 256 bytes'

# A spin loop whose round is too long to be followed: nobody knows whether it ends.
cat > round.heddle << 'END'
shared a[8], x;
thread p {
    local f = 0;
    while (f == 0) {
        local i = 0;
        while (i < 8 && f == 0) { f = a[i]; i = i + 1; }
    }
}
thread q { x = 1; }
END
cat > round.c << 'END'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int a[N];
static void *spin(void *unused) {
    for (int found = 0; !found;) {
        for (int i = 0; i < N; i++) {
            found |= a[i];
        }
    }
    return unused;
}
int main(void) {
    pthread_t other;
    pthread_create(&other, 0, spin, 0);
    pthread_join(other, 0);
    return 0;
}
END
for program in round.heddle "-DN=8 round.c"; do
    expect 1 "$torture" check $program
    incomplete rounds=3 'more than 10000 steps to return' $program
done
expect 1 "$heddle" check -DN=2100 round.c

# An instruction that asks the processor for the time, where code cannot be changed.
if [ "$(uname -m)" = x86_64 ]; then
    echo 'int main(void) { return __builtin_ia32_rdtsc() == 0; }' > clock.c
    expect 0 "$torture" check clock.c
    incomplete instructions=0 'could not be replaced' clock.c
fi

# unfinished WORDS PROGRAM: an abstract program that does more than there is room for.
unfinished() {
    echo "$2" > long.heddle
    expect 3 "$heddle" check --json long.heddle
    json ".errors[0].kind == \"unfinished\" and (.errors[0].message | test(\"$1\"))"
}
unfinished 'more than 256 posts' 'semaphore s; thread p { while (1) { sem_post(s); } }'
unfinished 'more than 10000000 steps' 'shared x; thread p { local i = 0; while (1) { i = i + 1; } x = i; }'
echo 'shared x; thread p { atomic { local i = choose(300); local k = choose(300); x = i + k; } }' > crowd.heddle
expect 2 "$heddle" check --json crowd.heddle
json '.errors[0].message | test("alternatives")'

# unsupported MACRO WORDS: a C program that has one too many of something; one less is right.
cat > many.c << 'END'
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void nothing(void) {}
int main(void) {
    char name[16];
    pthread_key_t key;
    FILE *in = stdin;
    for (int i = 0; i < COUNT; i++) {
        snprintf(name, sizeof name, "/n%d", i);
        (void)key, (void)in, (void)nothing;
        ACTION;
    }
    return 0;
}
END
unsupported() {
    expect 0 "$heddle" check --json "-DACTION=$1" -DCOUNT=$2 many.c
    expect 2 "$heddle" check --json "-DACTION=$1" -DCOUNT=$(($2 + 1)) many.c
    json '.errors[0].kind == "unsupported"'
    says out "$3"
}
unsupported 'if (open("/dev/null", O_RDONLY) < 0) abort()' 61 'more than 61 files'
unsupported 'if (ungetc(65, in) != 65) abort()' 4 'ungetc of more than 4 bytes'
unsupported 'if (sem_open(name, O_CREAT, 0600, 1) == SEM_FAILED) abort()' 16 'more than 16 named'
unsupported 'if (pthread_key_create(&key, 0)) abort()' 128 'more than 128 keys'
unsupported 'atexit(nothing)' 64 'more than 64 functions'
unsupported 'setenv(name, "", 1)' 64 'more than 64 changes'

# Thread-local variables lie on the stacks.
echo 'static _Thread_local char room[SIZE]; int main(void) { return room[0]; }' > local.c
expect 0 "$heddle" check -DSIZE=4000000 local.c
expect 2 "$heddle" check -DSIZE=9000000 local.c
says err '9000000 bytes of thread-local variables'

# Threads that are created in a loop without an end; other orders are explored as well, and what
# is wrong in them is found.
cat > creates.c << 'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int go, n;
static void *nothing(void *argument) { return argument; }
static void *starts(void *argument) {
    go = 1;
    n = 1;
#ifdef BUG
    assert(n != 2);
#endif
    return argument;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, starts, 0);
    n = 2;
    while (go) pthread_create(&thread, 0, nothing, 0);
    return 0;
}
END
for algorithm in pop optimal observers source; do
    incomplete threads=20 'creates more than 4096 threads' --algorithm=$algorithm creates.c
    json '.warnings | any(test("cut at a limit, in main at creates.c:18"))'
    expect 1 env HEDDLE_LIMITS=threads=20 "$torture" check --algorithm=$algorithm -DBUG creates.c
    says out 'assertion failed: n != 2'
done
incomplete threads=20 'creates more than 4096 threads' --max-steps=1000 creates.c
incomplete threads=2 'creates more than 4096 threads' creates.c
incomplete threads=1 'creates more than 4096 threads' creates.c

# Long names: there are gaps between variables, and bit-fields are read and written.
long=$(printf 'x%.0s' {1..700})
cat > names.c << END
#include <assert.h>
#include <pthread.h>
static int $long[4], other_$long[4];
static struct {
    unsigned a : 4, b : 4;
} bits_$long;
static volatile int i = 4;
static void *run(void *unused) {
    bits_$long.a = 1;
    return unused;
}
int main(void) {
    pthread_t thread;
#ifdef LEAVES
    $long[i] = 1;
#endif
    pthread_create(&thread, NULL, run, NULL);
    bits_$long.b = 1;
    pthread_join(thread, NULL);
    assert(bits_$long.a);
    return other_$long[0];
}
END
expect 1 "$heddle" check --json -DLEAVES names.c
json '.errors[0].kind == "overflow"'
expect 1 "$heddle" check --json --no-race-check names.c
json '.errors[0].kind == "assertion"'
