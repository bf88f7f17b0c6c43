/* Small programs of which the observers need to see less: one for each name. P, Q, R and S are
 * threads, MAIN is what main does once it has created them; SECTION is one atomic step.
 * expect -DTWO_WRITES: executions 6 errors none
 * observers -DTWO_WRITES: executions 5 errors none
 * expect -DNO_READER: executions 24 errors none
 * observers -DNO_READER: executions 1 errors none
 * expect -DTWO_READERS: executions 18 errors none
 * observers -DTWO_READERS: executions 17 errors none
 * expect -DADDITION: executions 6 errors none
 * observers -DADDITION: executions 5 errors none
 * expect -DSWAP: executions 6 errors none
 * observers -DSWAP: executions 5 errors none
 * expect -DJOINED: executions 4 errors none
 * observers -DJOINED: executions 2 errors none
 * expect -DJOINED_BOTH: executions 4 errors none
 * observers -DJOINED_BOTH: executions 4 errors none
 * expect -DREADS_ITS_OWN: executions 12 errors none
 * observers -DREADS_ITS_OWN: executions 8 errors none
 * expect -DHANDED_ON: executions 12 errors none
 * observers -DHANDED_ON: executions 10 errors none
 * expect -DJOINS_TWO_OF_THREE: executions 8 errors none
 * observers -DJOINS_TWO_OF_THREE: executions 5 errors none
 * expect -DWRITES_TWICE: executions 12 errors none
 * observers -DWRITES_TWICE: executions 8 errors none
 * expect -DSTORE_BUFFERS: executions 9 errors none
 * observers -DSTORE_BUFFERS: executions 8 errors none
 * expect -DSECTIONS: executions 6 errors none
 * observers -DSECTIONS: executions 6 errors none
 * expect -DLOCKED: executions 6 errors none
 * observers -DLOCKED: executions 5 errors none
 * expect -DDEADLOCK: executions 3 deadlocks 1 errors deadlock
 * observers -DDEADLOCK: executions 3 deadlocks 1 errors deadlock
 * expect -DEQUAL_SETS: executions 60 errors none
 * observers -DEQUAL_SETS: executions 53 errors none
 * expect -DUNEQUAL_SETS: executions 18 errors none
 * observers -DUNEQUAL_SETS: executions 18 errors none
 * expect -DSPAWNED: executions 3 errors none
 * observers -DSPAWNED: executions 3 errors none */
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;

#define LOCK(mutex)   pthread_mutex_lock(&mutex);
#define UNLOCK(mutex) pthread_mutex_unlock(&mutex);
#define JOIN(i)       pthread_join(threads[i], NULL);
#define SECTION(...)       \
    heddle_atomic_begin(); \
    __VA_ARGS__;           \
    heddle_atomic_end();

#if defined TWO_WRITES
#define P x = 1;
#define Q x = 2;
#define R assert(x < 3);
#elif defined NO_READER
#define P x = 1;
#define Q x = 2;
#define R x = 3;
#define S x = 4;
#elif defined TWO_READERS
#define P x = 1;
#define Q x = 2;
#define R (void)x;
#define S (void)x;
#elif defined ADDITION
#define P x = 1;
#define Q x = 2;
#define R x++;
#elif defined SWAP
#define P x = 1;
#define Q x = 2;
#define R atomic_compare_exchange_strong(&x, &(int){0}, 5);
#elif defined JOINED
#define P    x = 1, y = 1;
#define Q    x = 2, y = 2;
#define MAIN JOIN(0) JOIN(1)(void)y;
#elif defined JOINED_BOTH
#define P    x = 1, y = 1;
#define Q    x = 2, y = 2;
#define MAIN JOIN(0) JOIN(1)(void)y, (void)x;
#elif defined READS_ITS_OWN
#define P x = 1, (void)x;
#define Q x = 2;
#define R x = 3;
#elif defined HANDED_ON
#define P x = 1;
#define Q x = 2;
#define R (void)x, y = 1;
#define S (void)y;
#elif defined JOINS_TWO_OF_THREE
#define P    x = 1;
#define Q    x = 2;
#define R    x = 3;
#define MAIN JOIN(0) JOIN(1)(void)x;
#elif defined WRITES_TWICE
#define P x = 1, x = 2;
#define Q x = 3;
#define R (void)x;
#elif defined STORE_BUFFERS
#define P x = 1, (void)y;
#define Q y = 1, (void)x;
#define R x = 2;
#elif defined SECTIONS
#define P LOCK(m) UNLOCK(m)
#define Q LOCK(m) UNLOCK(m)
#define R LOCK(m) UNLOCK(m)
#elif defined LOCKED
#define P LOCK(m) x = 1; UNLOCK(m)
#define Q x = 2;
#define R LOCK(m)(void) x; UNLOCK(m)
#elif defined DEADLOCK
#define P    LOCK(m) LOCK(n) UNLOCK(n) UNLOCK(m)
#define Q    LOCK(n) LOCK(m) UNLOCK(m) UNLOCK(n)
#define MAIN JOIN(0) JOIN(1)
#elif defined EQUAL_SETS
#define P SECTION(x = 1, y = 1)
#define Q x = 2, y = 2;
#define R SECTION(x = 3, y = 3)
#define S SECTION((void)x, (void)y)
#elif defined UNEQUAL_SETS
#define P SECTION(x = 1, y = 1)
#define Q y = 2;
#define R x = 2;
#define S SECTION((void)x, (void)y)
#elif defined SPAWNED
#define FIRST x = 1;
#define P     x = 3, (void)x;
#define MAIN  x = 2;
#endif

#ifndef FIRST
#define FIRST
#endif
#ifndef R
#define R
#endif
#ifndef S
#define S
#endif
#ifndef Q
#define Q
#endif
#ifndef MAIN
#define MAIN
#endif

#define THREAD(name)                  \
    static void *run##name(void *u) { \
        (void)u;                      \
        name return NULL;             \
    }
THREAD(P)
THREAD(Q)
THREAD(R)
THREAD(S)

int main(void) {
    pthread_t threads[4];
    (void)m, (void)n;
    FIRST
    pthread_create(&threads[0], NULL, runP, NULL);
    pthread_create(&threads[1], NULL, runQ, NULL);
    pthread_create(&threads[2], NULL, runR, NULL);
    pthread_create(&threads[3], NULL, runS, NULL);
    MAIN return 0;
}
