/* A thread waits for two things at once, and two others each take one of them away for good: only if it
 * comes before both of them does it continue. It polls a variable under a lock, or takes one lock and tries
 * another. Nobody waits for it, so that its assertion is the only error.
 *
 * Executions: it comes first; it comes last, and waits; with a variable, it is also between its lock and its
 * look when that changes, and then waits. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static atomic_int changed;
static pthread_mutex_t second = PTHREAD_MUTEX_INITIALIZER;

#if defined READ_LOCK || defined WRITE_LOCK
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
#define TAKE() pthread_rwlock_wrlock(&lock)
#define GIVE() pthread_rwlock_unlock(&lock)
#elif defined SEMAPHORE
static sem_t lock;
#define TAKE() sem_wait(&lock)
#define GIVE() sem_post(&lock)
#else
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#define TAKE() pthread_mutex_lock(&lock)
#define GIVE() pthread_mutex_unlock(&lock)
#endif
#ifdef READ_LOCK
#define POLL() pthread_rwlock_rdlock(&lock)
#else
#define POLL() TAKE()
#endif

static void *keeper(void *unused) {
    TAKE();
    return unused;
}

static void *changer(void *unused) {
#ifdef TRIES
    pthread_mutex_lock(&second);
#else
    changed = 1;
#endif
    return unused;
}

static void *poller(void *unused) {
    for (;;) {
        POLL();
#ifdef TRIES
        if (pthread_mutex_trylock(&second) == 0) {
            break;
        }
        GIVE();
#else
        int was = changed;
        GIVE();
        if (was == 0) {
            break;
        }
#endif
    }
    assert(!"reached");
    return unused;
}

int main(void) {
    pthread_t threads[3];
#ifdef SEMAPHORE
    sem_init(&lock, 0, 1);
#endif
#ifdef CHANGER_FIRST
    pthread_create(&threads[1], NULL, changer, NULL);
    pthread_create(&threads[0], NULL, keeper, NULL);
#else
    pthread_create(&threads[0], NULL, keeper, NULL);
    pthread_create(&threads[1], NULL, changer, NULL);
#endif
    pthread_create(&threads[2], NULL, poller, NULL);
    return 0;
}
