/* A plain access races with an atomic one of the same bytes, whatever its order, unless both read;
 * other bytes of the same word do not matter.
 * expect: executions 2 errors data-race
 * expect -DREAD_ATOMIC: executions 2 errors data-race
 * expect -DREAD_PLAIN: executions 2 errors data-race
 * expect -DREAD_ATOMIC -DREAD_PLAIN: executions 1 errors none
 * expect -DWIDE: executions 2 errors data-race
 * expect -DOTHER_BYTES: executions 1 errors none */
#include <pthread.h>

static struct {
    _Alignas(8) int first, second;
} pair;

static void *atomic(void *unused) {
#ifdef READ_ATOMIC
    (void)__atomic_load_n(&pair.first, __ATOMIC_SEQ_CST);
#else
    __atomic_store_n(&pair.first, 1, __ATOMIC_RELAXED);
#endif
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, atomic, NULL);
#if defined(WIDE)
    *(long *)&pair = 2;
#elif defined(OTHER_BYTES)
    pair.second = 2;
#elif defined(READ_PLAIN)
    return pair.first == 3;
#else
    pair.first = 2;
#endif
    return 0;
}
