/* singleton: a thread makes an object, others write into it after it is there; what main finds is
 * one of their letters. With BUG nobody waits for the maker: somebody may write to nowhere.
 * expect: executions 2 errors none
 * expect -DBUG: errors crash */
#include <stdlib.h>

#include "suite.h"

static _Atomic(atomic_char *) object;

static void *make(void *unused) {
    object = malloc(1);
    return unused;
}

static void *write_x(void *unused) {
    *object = 'X';
    return unused;
}

static void *write_y(void *unused) {
    *object = 'Y';
    return unused;
}

int main(void) {
    pthread_t maker, x, y;
    pthread_create(&maker, NULL, make, NULL);
#ifndef BUG
    pthread_join(maker, NULL);
#endif
    pthread_create(&x, NULL, write_x, NULL);
    pthread_create(&y, NULL, write_y, NULL);
    pthread_join(x, NULL);
    pthread_join(y, NULL);
#ifdef BUG
    pthread_join(maker, NULL);
#endif
    if (*object != 'X' && *object != 'Y') {
        reach_error();
    }
    free(object);
    return 0;
}
