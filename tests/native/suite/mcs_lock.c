/* The queue lock of Mellor-Crummey and Scott. With BUG a thread reads the end of the queue
 * and then writes it: two may find it empty.
 * expect: errors none
 * expect -DBUG: errors assertion */
#include "suite.h"

typedef struct place {
    _Atomic(struct place *) next;
    atomic_int waits;
} place;

static _Atomic(place *) tail;
static place places[2];
static atomic_int inside;

static void lock(place *mine) {
    mine->next = NULL;
    mine->waits = 1;
#ifdef BUG
    place *before = tail;
    tail = mine;
#else
    place *before = atomic_exchange(&tail, mine);
#endif
    if (before) {
        before->next = mine;
        __VERIFIER_assume(!mine->waits);
    }
}

static void unlock(place *mine) {
    place *after = mine->next;
    if (!after) {
        place *expected = mine;
        if (atomic_compare_exchange_strong(&tail, &expected, NULL)) {
            return;
        }
        after = mine->next;
        __VERIFIER_assume(after != NULL);
    }
    after->waits = 0;
}

static void *worker(void *argument) {
    place *mine = &places[(long)argument];
    lock(mine);
    if (inside++ != 0) {
        reach_error();
    }
    inside--;
    unlock(mine);
    return NULL;
}

int main(void) {
    run(2, worker);
    return 0;
}
