/* Dekker's algorithm, one attempt after backing off. With BUG a thread looks before it says that
 * it wants in.
 * expect: errors none
 * expect -DBUG: errors assertion */
#include "suite.h"

static atomic_int wants[2], turn, inside;

static void *worker(void *argument) {
    int me = (int)(long)argument, other = 1 - me;
#ifndef BUG
    wants[me] = 1;
#endif
    if (wants[other]) {
        if (turn != me) {
            wants[me] = 0;
            __VERIFIER_assume(turn == me);
            wants[me] = 1;
        }
        __VERIFIER_assume(!wants[other]);
    }
    wants[me] = 1;
    if (inside++ != 0) {
        reach_error();
    }
    inside--;
    turn = other;
    wants[me] = 0;
    return NULL;
}

int main(void) {
    run(2, worker);
    return 0;
}
