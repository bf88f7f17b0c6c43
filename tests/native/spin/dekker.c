/* Dekker's mutual exclusion. */
#include "spin.h"

static atomic_int flag[2], turn;

static void *body(void *argument) {
    int me = (int)(long)argument, other = 1 - me;
    atomic_store(&flag[me], 1);
    while (atomic_load(&flag[other])) {
        if (atomic_load(&turn) != me) {
            atomic_store(&flag[me], 0);
            while (atomic_load(&turn) != me) {
            }
            atomic_store(&flag[me], 1);
        }
    }
    section();
    atomic_store(&turn, other);
    atomic_store(&flag[me], 0);
    return NULL;
}

int main(void) {
    run_threads(body);
}
