/* A spin lock by a compare-and-swap in inline assembly. */
#include <assert.h>
#include <pthread.h>

static int taken, count;

static int swap(volatile int *place, int old, int new) {
    int found;
    __asm__ __volatile__("lock; cmpxchgl %2, %1"
                         : "=a"(found), "+m"(*place)
                         : "r"(new), "0"(old)
                         : "memory");
    return found;
}

static void *run(void *none) {
    while (swap(&taken, 0, 1) != 0) {
        __asm__ __volatile__("pause");
    }
    count++;
    __atomic_store_n(&taken, 0, __ATOMIC_SEQ_CST);
    return none;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, run, NULL);
    pthread_create(&two, NULL, run, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(count == 2);
}
