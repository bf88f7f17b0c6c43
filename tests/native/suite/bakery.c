/* Lamport's bakery for two. With BUG nobody says that he is choosing a number.
 * expect: errors none
 * expect -DBUG: errors assertion */
#include "suite.h"

static atomic_int choosing[2], number[2], inside;

static void *worker(void *argument) {
    int me = (int)(long)argument, other = 1 - me;
#ifndef BUG
    choosing[me] = 1;
#endif
    number[me] = number[other] + 1;
    choosing[me] = 0;
    __VERIFIER_assume(!choosing[other]);
    int theirs = number[other];
    __VERIFIER_assume(theirs == 0 || theirs > number[me] || (theirs == number[me] && me < other));
    if (inside++ != 0) {
        reach_error();
    }
    inside--;
    number[me] = 0;
    return NULL;
}

int main(void) {
    run(2, worker);
    return 0;
}
