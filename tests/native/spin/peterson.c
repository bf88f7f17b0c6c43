/* Peterson's mutual exclusion; with BUG the flag comes after the turn, with TURN the turn is looked
 * at first. */
#include "spin.h"

static atomic_int flag[2], turn;

static void *body(void *argument) {
    int me = (int)(long)argument, other = 1 - me;
#ifdef BUG
    atomic_store(&turn, other);
    atomic_store(&flag[me], 1);
#else
    atomic_store(&flag[me], 1);
    atomic_store(&turn, other);
#endif
#ifdef TURN
    while (atomic_load(&turn) == other && atomic_load(&flag[other])) {
    }
#else
    while (atomic_load(&flag[other]) && atomic_load(&turn) == other) {
    }
#endif
    section();
    atomic_store(&flag[me], 0);
    return NULL;
}

int main(void) {
    run_threads(body);
}
