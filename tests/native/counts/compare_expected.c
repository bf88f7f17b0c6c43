/* What a compare-and-exchange expects is read plainly, and written plainly if it fails: a race with
 * whoever writes or reads it. The exchange succeeds (the read) or fails (the write). With two
 * threads and one conflict there are 2 executions.
 * expect: executions 2 errors data-race
 * expect -DFAILS: executions 2 errors data-race
 * expect -DLOCAL: executions 1 errors none
 * expect -DPRIVATE: executions 2 errors data-race */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static int expected;

static void *exchange(void *unused) {
#if defined(LOCAL)
    int local = 0;
    atomic_compare_exchange_strong(&x, &local, 1);
#elif defined(PRIVATE)
    atomic_int mine = 0; /* only what is expected is shared */
    atomic_compare_exchange_strong(&mine, &expected, 1);
#else
    atomic_compare_exchange_strong(&x, &expected, 1);
#endif
    return unused;
}

int main(void) {
#ifdef FAILS
    x = 7;
#endif
    pthread_t thread;
    pthread_create(&thread, NULL, exchange, NULL);
#ifdef FAILS
    return expected;
#else
    expected = 0;
    return 0;
#endif
}
