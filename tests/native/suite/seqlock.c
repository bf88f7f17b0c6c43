/* A sequence lock: a reader that saw the same even number before and after has seen both halves of
 * one write. With BUG it does not look again.
 * expect: errors none
 * expect -DBUG: errors assertion */
#include "suite.h"

static atomic_uint sequence;
static atomic_int left, right;

static void *writer(void *unused) {
    for (int i = 1; i <= 2; i++) {
        sequence++;
        left = i;
        right = i;
        sequence++;
    }
    return unused;
}

static void *reader(void *unused) {
    unsigned before = sequence;
    __VERIFIER_assume(before % 2 == 0);
    int a = left, b = right;
#ifndef BUG
    __VERIFIER_assume(sequence == before);
#endif
    if (a != b) {
        reach_error();
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    reader(NULL);
    pthread_join(thread, NULL);
    return 0;
}
