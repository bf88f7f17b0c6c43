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
