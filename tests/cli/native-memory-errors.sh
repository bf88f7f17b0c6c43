#!/bin/bash
# Memory errors of C programs: each is found, named with its block, and the twin that does what is
# right only just is verified.
. "$(dirname "$0")/../library.sh"
programs=$root/tests/native/memory

# line CASE FILE: where the case stands.
line() { grep -nE "CASE\($1," "$programs/$2" | cut -d: -f1; }

# The error in `out` is of that kind, has that message, and is at the case of that number.
is_there() { # number, kind, pattern, file
    local at found
    at=$(line "$1" "$4") found=$(error_line)
    error_is "$2" "$3" || fail "case $1: no $2 whose message matches: $3"
    [ "$found" -ge "$at" ] && [ "$found" -le $((at + 2)) ] || fail "case $1: in line $found instead of $at"
}

# ---- the heap, one thread ----

expect 0 "$heddle" cc -w -o heap "$programs/heap.c"
expect 0 "$heddle" check heap -- 0
found=0
while read -r number kind message; do
    expect 1 "$heddle" check --json heap -- "$number"
    is_there "$number" "$kind" "$message" heap.c
    found=$((found + 1))
done << 'END'
1 overflow write of 1 byte, 0 bytes after the end of a heap block of 13 bytes, allocated by main at heap\.c:[0-9]+$
2 use-after-free read of 1 byte at offset 0 of a heap block of 13 bytes, allocated by main at .*, freed by main at heap\.c
3 use-after-free at offset 12
4 double-free free of a heap block of 13 bytes, allocated by main at .*, freed by main at heap\.c
5 invalid-free an address 1 byte inside a heap block of 13 bytes
6 invalid-free a local
7 invalid-free a variable
8 invalid-free constant memory
9 overflow 1 byte before the start of a heap block of 13 bytes
10 overflow write of 14 bytes at offset 0, beyond the end of a heap block of 13 bytes
11 overflow read of 14 bytes
12 overflow read of
13 overflow after the end of a heap block of 24 bytes
14 overflow after the end of a heap block of 20 bytes
15 use-after-free a heap block of 13 bytes
16 overflow a heap block of 70 bytes
17 overflow a heap block of 4 bytes
18 use-after-free read and write of 4 bytes
19 use-after-free read of 4 bytes
20 use-after-free
21 use-after-free a heap block of 40 bytes
22 overflow 0 bytes after the end of a heap block of 100000 bytes
23 use-after-free at offset 50000 of a heap block of 100000 bytes
24 use-after-free
25 overflow write of 14 bytes
26 overflow a heap block of 0 bytes
27 overflow
28 overflow write of 8 bytes at offset 8, beyond the end
29 overflow write of 200 bytes at offset 0, beyond the end of a heap block of 199 bytes
30 use-after-free a heap block of 200 bytes
31 overflow a heap block of 16 bytes
32 invalid-free realloc of an address 8 bytes inside a heap block of 24 bytes
33 double-free a heap block of 300000 bytes
34 overflow write of 300001 bytes
35 overflow
36 overflow read of 8 bytes
37 overflow a heap block of 2 bytes
END
[ "$found" = "$(grep -cE '^ +CASE\(' "$programs/heap.c")" ] || fail "$found cases"
expect 1 "$heddle" check heap -- 2
says out 'heap\.c:[0-9]+:[0-9]+: error: use after free: read of 1 byte at offset 0 of a heap block of 13 bytes, '

# ---- random blocks ----

expect 0 "$heddle" cc -w -o random "$programs/random.c"
for seed in 1 2 3 4 5 6 7 8; do
    expect 0 "$heddle" check --leaks=error random -- "$seed" 0
    for bad in 1 2 3; do
        expect 1 "$heddle" check random -- "$seed" "$bad"
    done
done

# ---- orders that only some interleavings have ----

expect 0 "$heddle" cc -o order "$programs/order.c"
for number in 1 2 3 4 5 6 7 8 9 10; do
    for algorithm in pop optimal source observers context; do
        for first in lowest highest; do
            expect 1 "$heddle" check --json -k --no-race-check --algorithm="$algorithm" \
                --first="$first" order -- "$number"
            json '[.errors[].kind] | index("use-after-free")'
            expect 0 "$heddle" check --algorithm="$algorithm" --first="$first" order -- \
                "$number" right
        done
    done
done
expect 1 "$heddle" check --json -k --no-race-check order -- 8
json '[.errors[].kind] | index("double-free")'
# A mutex in a block that is freed before it is locked, and between lock and unlock.
for number in 5 6; do
    expect 1 "$heddle" check --json -k --no-race-check --first=highest order -- "$number"
    json '.executions == 3 and (.errors | length) == 2 and .errors[0].line != .errors[1].line'
done

# Without a lock, either order shows it: as a race, or as what the race leads to.
expect 1 "$heddle" check --json -k --first=highest order -- 3
json '[.errors[].kind] | index("data-race") and index("use-after-free")'
json '[.errors[].message] | any(test("data race on block wide: .*free by T1 at order.c:63"))'
json '[.errors[] | select(.kind == "data-race") | .related[].what] | sort == ["free", "read"]'
# What the thread does after the free is no free.
cat > after.c << 'END'
#include <pthread.h>
#include <stdlib.h>
static int *p, x;
static void *reader(void *unused) { x = *p; return unused; }
int main(void) {
    pthread_t t;
    p = calloc(1, sizeof *p);
    pthread_create(&t, NULL, reader, NULL);
    free(p);
    x = 2;
    pthread_join(t, NULL);
}
END
for options in '' --random --algorithm=source; do
    expect 1 "$heddle" check --json -k --max-executions=20 $options after.c
    json '[.errors[] | select(.kind == "data-race") | .message |
        sub("(?<second>read by T1 at .*), (?<first>free by main at .*)"; .first + ", " + .second)] | sort ==
        ["data race on *p: free by main at after.c:9, read by T1 at after.c:4",
         "data race on x: write by T1 at after.c:4, write by main at after.c:10"]'
done

# ---- outside of the heap ----

for compiler in gcc clang; do
    command -v "$compiler" > compiler || continue
    expect 0 "$heddle" cc --cc="$compiler" -w -o places "$programs/places.c"
    expect 0 "$heddle" check --leaks=error places -- 0
    expect 0 "$heddle" check --json places -- 100 # nor libc's variables
    json '.errors == []'
    found=0
    while read -r number kind message; do
        expect 1 "$heddle" check --json places -- "$number"
        is_there "$number" "$kind" "$message" places.c
        found=$((found + 1))
    done << 'END'
1 overflow write of 4 bytes, 0 bytes after the end of variable first
2 overflow 0 bytes after the end of variable second
3 overflow write of 1 byte, 0 bytes after the end of variable odd
4 overflow after the end of variable names
5 overflow after the end of variable shown
6 overflow read of 4 bytes
7 overflow write of 17 bytes at offset 0, beyond the end of variable first
8 use-after-free a local of main whose function has returned
9 use-after-free a local of main whose function has returned
10 use-after-free the stack of T1, which has ended
11 use-after-free the stack of T1, which has ended
12 crash constant memory
13 crash constant memory
14 crash segmentation fault at address 0x0 \(null pointer\)
15 crash segmentation fault at address 0x8
16 crash which is not memory of the program
17 crash which is not memory of the program
18 overflow 4 bytes after the end of variable first
19 overflow write of 4 bytes, beyond the first frame of the stack of main
20 crash segmentation fault
21 overflow write of 1000 bytes, beyond the first frame of the stack of main
END
    [ "$found" = "$(grep -cE '^ +CASE\(' "$programs/places.c")" ] || fail "$found cases"
done

# Indices beyond arrays whose length the compiler knows, wherever they lie (gcc).
expect 0 "$heddle" cc -w -o arrays "$programs/arrays.c"
expect 0 ./arrays 1
expect 0 "$heddle" check --leaks=error arrays -- 0
expect 0 "$heddle" check --optimize -w "$programs/arrays.c" -- 0
expect 0 "$heddle" check -w -fno-sanitize=bounds "$programs/arrays.c" -- 3
expect 1 "$heddle" check -w -fno-sanitize-recover "$programs/arrays.c" -- 3
says out 'out of bounds: index 5'
found=0
while read -r number index type; do
    expect 1 "$heddle" check --json arrays -- "$number"
    is_there "$number" overflow "^out of bounds: index $index of an array of type '$type'" arrays.c
    expect 1 "$heddle" check --optimize --json -w "$programs/arrays.c" -- "$number"
    is_there "$number" overflow "^out of bounds: index $index of an array of type '$type'" arrays.c
    found=$((found + 1))
done << 'END'
1 5 int \[5\]
2 -1 int \[5\]
3 5 int \[5\]
4 4 int \[4\]
5 2 int \[2\]
6 3 int \[3\]
7 3 int \[\*\]
8 255 int \[5\]
9 18446744073709551615 int \[5\]
10 4 char \[4\]
11 5 int \[5\]
12 6 member \[6\]
END
[ "$found" = "$(grep -cE '^ +CASE\(' "$programs/arrays.c")" ] || fail "$found cases"

# Only in the schedule in which the other thread comes first.
expect 1 "$heddle" check --json --no-race-check "$programs/index.c"
error_is overflow "index 3 of an array of type 'int \[3\]'$"
json '.errors[0].thread == "T2" and .errors[0].line == 15'
expect 0 "$heddle" check --no-race-check -DRIGHT "$programs/index.c"

# Beyond the first frame of a thread, up to where its stack ends.
cat > beyond.c << 'END'
#include <pthread.h>
#include <string.h>
static char *volatile place;
static void *run(void *argument) {
    char local[16];
    place = local;
#ifdef WIDE
    memset(local, 0, 2000);
#else
    place[600] = 1;
#endif
    return argument;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    pthread_join(thread, 0);
    return 0;
}
END
for wide in "" -DWIDE; do
    expect 1 "$heddle" check $wide beyond.c
    says out 'out of bounds: write of (1 byte|2000 bytes), beyond the first frame of the stack of T1'
done

# Arrays of a frame, when the function returns.
cat > local.c << 'END'
#include <stdlib.h>
static int fill(int *a, int n) {
    for (int i = 0; i < n; i++) a[i] = 0x1234567;
    return a[0];
}
static int use(int n) {
    int a[8];
    return fill(a, n);
}
int main(int argc, char **arguments) { return argc > 1 && use(atoi(arguments[1])) == 0; }
END
expect 0 "$heddle" check local.c -- 8
expect 1 "$heddle" check --json local.c -- 12
json '.errors[0].kind == "overflow" and (.errors[0].message | contains("a local array"))'

# Variables that a program has put side by side by itself are left there.
cat > side.c << 'END'
#include <assert.h>
#define ENTRY(name) static int name __attribute__((section("entries"), used)) = 1
ENTRY(one);
ENTRY(two);
ENTRY(three);
extern int __start_entries[], __stop_entries[];
int main(void) {
    int sum = 0;
    for (int *at = __start_entries; at < __stop_entries; at++) sum += *at;
    assert(sum == 3);
    return 0;
}
END
expect 0 "$heddle" check side.c

# ---- the end of the program ----

for algorithm in pop context; do
    expect 0 "$heddle" check --leaks=error --algorithm="$algorithm" "$programs/main_frame.c"
done
expect 0 "$heddle" cc -w -o leak "$programs/leak.c"
for number in 0 4 6 8; do
    expect 0 "$heddle" check --leaks=error leak -- "$number"
    expect 0 "$heddle" check --json leak -- "$number"
    json '.warnings == []'
done
for number in 1 2 3 5 7 9; do
    expect 1 "$heddle" check --json --leaks=error leak -- "$number"
    json '.errors[0].kind == "leak" and .errors[0].line > 0'
    expect 0 "$heddle" check --json leak -- "$number"
    json '.warnings | length == 1 and (.[0] | startswith("memory leak: a heap block of "))'
    expect 0 "$heddle" check --json --leaks=ignore leak -- "$number"
    json '.warnings == []'
done
expect 1 "$heddle" check --leaks=error --schedule=leak.schedule leak -- 5
expect 1 "$heddle" replay leak.schedule
says out 'memory leak: a heap block of 10 bytes, allocated by T1 at leak\.c'
expect 2 "$heddle" check --leaks=all leak -- 5
says err 'expected ignore, warn or error'

expect 1 "$heddle" check --json --svcomp=valid-memsafety leak -- 1
json '.errors[0].kind == "leak"'
expect 0 "$heddle" check --json --svcomp leak -- 1
json '.warnings == []'

# ---- memory that was never written ----

expect 0 "$heddle" cc -w -o uninitialised "$programs/uninitialised.c"
for number in 0 3 4 8; do
    expect 0 "$heddle" check uninitialised -- "$number"
done
for number in 1 2 5 6 7; do
    expect 1 "$heddle" check --json uninitialised -- "$number"
    json ".errors[0].kind == \"uninitialised\""
    json ".errors[0].line == $(grep -n "k == $number" "$programs/uninitialised.c" | cut -d: -f1)"
done

# A struct that is copied from a local, which only its owner knows, is written in a step of its own.
cat > copy.c << 'END'
#include <assert.h>
#include <pthread.h>
struct three { long a, b, c; };
static struct three shared;
static long seen = -1;
static void fill(struct three *to) { to->a = to->b = to->c = 1; }
static void *writer(void *unused) {
    struct three local;
    fill(&local);
    shared = local;
    return unused;
}
static void *reader(void *unused) {
    seen = shared.b;
    return unused;
}
int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, writer, NULL);
    pthread_create(&threads[1], NULL, reader, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(seen != 0);
    return 0;
}
END
expect 1 "$heddle" check --json copy.c
json '.errors[0].kind == "data-race"'
expect 1 "$heddle" check --json --no-race-check copy.c
json '.errors[0].kind == "assertion"'

# The size of a block is looked at while it lives: before or after a free in another thread, whatever others write
# to it.
cat > usable.c << 'EOF'
#include <assert.h>
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
static char *block;
static void *other(void *unused) {
#ifdef FREE
    free(block);
#else
    block[0] = 1;
#endif
    return unused;
}
int main(void) {
    pthread_t thread;
    block = malloc(SIZE);
    pthread_create(&thread, NULL, other, NULL);
    assert(malloc_usable_size(block) >= SIZE && malloc_usable_size(NULL) == 0);
    pthread_join(thread, NULL);
    return 0;
}
EOF
for algorithm in pop optimal none; do
    for size in 24 100000; do
        checked 0 --algorithm=$algorithm -DSIZE=$size usable.c
        checked 1 --json --algorithm=$algorithm -DFREE -DSIZE=$size usable.c
        json '.errors[0].kind == "use-after-free"'
    done
done
