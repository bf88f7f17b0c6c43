/* exit from a thread: the others run on to their end, and main, which waits for that thread for
 * ever, is not in a deadlock. x is written before or after it is read by the thread that exits: 2.
 * expect: executions 2 errors none */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x;

static void *ends(void *unused) {
    (void)unused;
    exit(x);
}

static void *writes(void *unused) {
    (void)unused;
    x = 1;
    return NULL;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, ends, NULL);
    pthread_create(&other, NULL, writes, NULL);
    pthread_join(one, NULL);
    return 0;
}
