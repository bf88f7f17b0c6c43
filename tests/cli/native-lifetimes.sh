#!/bin/bash
# Memory that one thread ends the life of while another one writes to it: no order of the two may be
# left out, though nobody reads what was written.
. "$(dirname "$0")/../library.sh"
algorithms="pop optimal observers source context none"

cat > freed.c << 'EOF'
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static char *p;
static atomic_int x, y;
static void *frees(void *unused) {
    x = 1;
    free(p);
    return unused;
}
int main(void) {
    pthread_t thread;
    p = malloc(SIZE);
    pthread_create(&thread, NULL, frees, NULL);
    y = 1;
    p[SIZE - 1] = 2;
    pthread_join(thread, NULL);
    return 0;
}
EOF
for size in 4 100000; do
    for algorithm in $algorithms; do
        for first in lowest highest; do
            expect 1 "$heddle" check --algorithm=$algorithm --first=$first --no-race-check -DSIZE=$size freed.c
            says out 'use after free'
        done
    done
done
