/* Lamport's bakery, for two; with BUG nobody waits for who is choosing. */
#include "spin.h"

static atomic_int choosing[2], number[2];

static void *body(void *argument) {
    int me = (int)(long)argument, other = 1 - me;
    atomic_store(&choosing[me], 1);
    int mine = atomic_load(&number[other]) + 1;
    atomic_store(&number[me], mine);
    atomic_store(&choosing[me], 0);
#ifndef BUG
    while (atomic_load(&choosing[other])) {
    }
#endif
    for (;;) {
        int theirs = atomic_load(&number[other]);
        if (!theirs || theirs > mine || (theirs == mine && me == 0)) {
            break;
        }
    }
    section();
    atomic_store(&number[me], 0);
    return NULL;
}

int main(void) {
    run_threads(body);
}
