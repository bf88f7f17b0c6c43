#!/bin/bash
# C programs through the command line: built, explored, reported, replayed.
. "$(dirname "$0")/../library.sh"

cat > lost.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include "step.h"
static int counter;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *increment(void *nothing) {
    pthread_mutex_lock(&mutex);
    int seen = counter;
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
    counter = seen + STEP;
    pthread_mutex_unlock(&mutex);
    return nothing;
}
int main(int argc, char **argv) {
    pthread_t a, b;
    pthread_create(&a, NULL, increment, NULL);
    pthread_create(&b, NULL, increment, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("counter %d\n", counter);
    assert(argc == 1 || counter == atoi(argv[1]));
    return 0;
}
END
mkdir headers
echo '#ifndef STEP
#define STEP 1
#endif' > headers/step.h

# Flags go to the compiler, arguments to the program; it prints nothing while it is explored.
expect 0 "$heddle" check -Iheaders -Wall -std=c11 lost.c
! grep -q '^counter' out || fail "the program's output"
expect 0 "$heddle" check --json -k -Iheaders lost.c
json '.verdict == "verified" and .executions == 6'
expect 1 "$heddle" check --schedule=schedule -Iheaders lost.c -- 2
says out '^lost.c:24:5: error: assertion failed'
says out '^> +[0-9]+  read counter -> 1 .* 24: assert\(argc == 1'
expect 1 "$heddle" check -DSTEP=2 -I headers lost.c -- 4
expect 1 "$heddle" check --algorithm=optimal -Iheaders lost.c -- 2

# The replay lets the program's output through.
says schedule '^file lost.c$'
says schedule '^flag -Iheaders$'
says schedule '^argument 2$'
expect 1 "$heddle" replay schedule
says out '^counter 1$'
says out '^Replayed [0-9]+ steps as recorded\.$'
cd headers
expect 1 "$heddle" replay ../schedule
says out '^Replayed [0-9]+ steps as recorded\.$'
cd ..

# Objects and programs that heddle cc made.
expect 0 "$heddle" cc -Iheaders -c lost.c -o lost.o
expect 1 "$heddle" check lost.o -- 2
expect 0 "$heddle" cc -Iheaders lost.c -o lost
expect 1 "$heddle" check lost -- 2
says out 'assertion failed'
expect 2 "$heddle" check missing.o
echo 'int main(void) { return x; }' > wrong.c
expect 2 "$heddle" check wrong.c
says err 'the program does not compile'
echo 'int other(void) { return 0; }' > no_main.c
expect 2 "$heddle" check no_main.c
says err 'the program has no main'

# A deadlock, explained with the names of the mutexes.
cat > dead.c <<'END'
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *other(void *nothing) {
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return nothing;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return pthread_join(thread, NULL);
}
END
expect 1 "$heddle" check dead.c
says out '^  dead.c:14: main waits for b, held by T1 since step [0-9]+ \(dead.c:4\)$'
says out '^  cycle: '

# A data race, and none if nobody asks.
cat > race.c <<'END'
#include <pthread.h>
static int x;
static void *other(void *nothing) { x = 1; return nothing; }
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    x = 2;
    return pthread_join(thread, NULL);
}
END
expect 1 "$heddle" check --json race.c
json '.errors[0].kind == "data-race"'
expect 0 "$heddle" check --json --no-race-check race.c
json '.executions == 2'

# What outlives an execution makes two runs of one schedule differ, and that is said.
cat > remembers.c <<'END'
#include <stdatomic.h>
#include <syslog.h>
static atomic_int x;
int main(void) {
    if (setlogmask(253) & 2) x = 1;
    else x = 2;
    return 0;
}
END
expect 2 "$heddle" check remembers.c
says err 'not deterministic: two runs of one schedule diverged at step'

# Other compilers and levels; a schedule remembers which.
expect 1 "$heddle" check --cc=clang --json --schedule=schedule -Iheaders lost.c -- 2
json '.warnings[0] == "clang does not announce every access to locals that threads share"'
says schedule '^compiler clang$'
expect 2 "$heddle" replay schedule
says err "the schedule was made with another compiler; to run it, repeat: --cc='clang'"
expect 1 "$heddle" replay --cc=clang schedule
expect 1 "$heddle" check --optimize --schedule=schedule -Iheaders lost.c -- 2
says schedule '^level optimize$'
expect 1 "$heddle" replay schedule
expect 0 "$heddle" check --json --optimize -Iheaders lost.c
json '.executions == 6'
expect 2 "$heddle" check --optimize --cc=clang -Iheaders lost.c
says err 'optimize is for gcc'
expect 2 "$heddle" check --weak-cas --cc=clang -Iheaders lost.c
says err 'weak-cas is for gcc'

# Ordinary C stays with pop: copies of structs, memcpy, a mutex beside data.
cat > beside.c <<'END'
#include <pthread.h>
#include <string.h>
static struct { int before; pthread_mutex_t mutex; struct { long a; char b[20]; } data; } shared = {
    .mutex = PTHREAD_MUTEX_INITIALIZER};
static void *copy(void *nothing) {
    pthread_mutex_lock(&shared.mutex);
    char bytes[20];
    __typeof__(shared.data) whole = shared.data;
    memcpy(bytes, whole.b, sizeof bytes);
    bytes[3]++;
    memcpy(shared.data.b, bytes, sizeof bytes);
    shared.before++;
    pthread_mutex_unlock(&shared.mutex);
    return nothing;
}
int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, copy, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return shared.data.b[3] - 2;
}
END
for file in beside.c "$root"/tests/native/counts/{struct_copy,struct_copy16,memory_copy}.c; do
    "$heddle" check --json --keep-going "$file" > out || true # data races are not the matter here
    json '.algorithm == "pop"'
done

# What the disassembler finds is kept in the program: whoever loads it does not call it again.
mkdir tools
printf '#!/bin/sh\ntouch "%s/used"\nPATH="%s" exec objdump "$@"\n' "$PWD" "$PATH" > tools/objdump
chmod +x tools/objdump
PATH="$PWD/tools:$PATH" expect 0 "$heddle" cc -Iheaders lost.c -o kept
[ -e used ] || fail "struct copies are looked for when a program is linked"
rm used
PATH="$PWD/tools:$PATH" expect 0 "$heddle" check -j 2 kept
[ ! -e used ] || fail "struct copies are looked for again"
