/* Two workers, two tasks: both are done when the pool is gone. */
#include <assert.h>
#include <stdatomic.h>

#include "pool.h"

static atomic_int done;

static void count(void *amount) {
    done += *(int *)amount;
}

int main(void) {
    int one = 1, two = 2;
    pool *p = pool_create(2, 2);
    assert(pool_submit(p, count, &one) == 0);
    assert(pool_submit(p, count, &two) == 0);
    pool_destroy(p);
    assert(done == 3);
    return 0;
}
