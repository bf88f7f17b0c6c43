/* Peterson's algorithm. With BUG a thread says whose turn it is before it says that it wants in.
 * expect: errors none
 * expect -DBUG: errors assertion */
#include "suite.h"

static atomic_int wants[2], turn;
static int inside;

static void *worker(void *argument) {
    int me = (int)(long)argument, other = 1 - me;
#ifdef BUG
    turn = other;
    wants[me] = 1;
#else
    wants[me] = 1;
    turn = other;
#endif
    __VERIFIER_assume(!wants[other] || turn == me);
    inside = me;
    if (inside != me) {
        reach_error();
    }
    wants[me] = 0;
    return NULL;
}

int main(void) {
    run(2, worker);
    return 0;
}
