/* A ticket lock with an atomic function for the tickets. Threads that would wait forever are
 * stopped, so that those executions complete in which everybody is served in turn: 3! of them. With
 * BUG two may get the same ticket. expect: executions 30 assumed 24 errors none expect -DBUG:
 * errors assertion */
#include "suite.h"

static unsigned next_ticket;
static atomic_uint served;
static int inside;

#ifdef BUG
enum { THREADS = 2 };
static unsigned take_ticket(void) {
    unsigned ticket = next_ticket;
    next_ticket = ticket + 1;
    return ticket;
}
#else
enum { THREADS = 3 };
#define take_ticket __VERIFIER_atomic_take_ticket
static unsigned __VERIFIER_atomic_take_ticket(void) {
    return next_ticket++;
}
#endif

static void *worker(void *unused) {
    unsigned ticket = take_ticket();
    __VERIFIER_assume(served == ticket);
    if (inside++ != 0) {
        reach_error();
    }
    inside--;
    served++;
    return unused;
}

int main(void) {
    run(THREADS, worker);
    return 0;
}
