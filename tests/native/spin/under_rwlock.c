/* Polling under a read-write lock: like under a mutex, its lock waits until what it protects changes.
 * Not if somebody may see that the lock is held: by a try, or by initialising or destroying it. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int ready, data;

#ifndef POLL /* how the poller locks */
#define POLL pthread_rwlock_rdlock
#endif
#ifndef SET /* and how the other one does */
#define SET pthread_rwlock_wrlock
#endif
#ifndef BEFORE
#define BEFORE
#endif

static void *poller(void *unused) {
    for (;;) {
        POLL(&lock);
#ifdef AFTER
        pthread_rwlock_unlock(&lock);
        int seen = ready;
#else
        int seen = ready;
        pthread_rwlock_unlock(&lock);
#endif
        if (seen) {
            break;
        }
        sched_yield();
    }
    assert(data == 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, poller, NULL);
    data = 1;
    BEFORE;
    SET(&lock);
#ifndef FORGOTTEN
    ready = 1;
#endif
    pthread_rwlock_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
