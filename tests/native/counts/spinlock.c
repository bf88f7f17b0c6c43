/* Two spin locks in one granule, taken in opposite orders: 3 traces, one of them stuck.
 * expect: executions 3 deadlocks 1 errors deadlock */
#include <pthread.h>

static pthread_spinlock_t locks[2] __attribute__((aligned(8)));

static void *one(void *unused) {
    (void)unused;
    pthread_spin_lock(&locks[0]);
    pthread_spin_lock(&locks[1]);
    pthread_spin_unlock(&locks[1]);
    pthread_spin_unlock(&locks[0]);
    return NULL;
}

static void *other(void *unused) {
    (void)unused;
    pthread_spin_lock(&locks[1]);
    pthread_spin_lock(&locks[0]);
    pthread_spin_unlock(&locks[0]);
    pthread_spin_unlock(&locks[1]);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    pthread_spin_init(&locks[0], PTHREAD_PROCESS_PRIVATE);
    pthread_spin_init(&locks[1], PTHREAD_PROCESS_PRIVATE);
    pthread_create(&threads[0], NULL, one, NULL);
    pthread_create(&threads[1], NULL, other, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
