// A counter under a spin lock, with a fast path that only tries.
// verified
// IGNORE_BUSY: data-race|misuse count|unlock of lock, a spin lock that the thread does not hold
// NO_UNLOCK: deadlock|livelock waits for lock
#include <assert.h>
#include <pthread.h>
static pthread_spinlock_t lock;
static int count, missed[2];
static void *work(void *number) {
    int own = number != NULL;
    int status = pthread_spin_trylock(&lock);
#ifdef IGNORE_BUSY
    status = 0;
#endif
    if (status == 0) {
        count++;
#ifdef NO_UNLOCK
        if (count == 2) {
            return NULL;
        }
#endif
        pthread_spin_unlock(&lock);
    } else {
        missed[own] = 1;
    }
    return NULL;
}
int main(void) {
    pthread_t threads[2];
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&threads[0], NULL, work, NULL);
    pthread_create(&threads[1], NULL, work, missed);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    pthread_spin_lock(&lock);
    assert(count + missed[0] + missed[1] == 2);
    pthread_spin_unlock(&lock);
    pthread_spin_destroy(&lock);
    return 0;
}
