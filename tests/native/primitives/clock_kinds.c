// Only the real and the monotonic clock can be waited by.
// verified
// PROCESS: assertion .
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>
#ifdef PROCESS
enum { WANTED = ETIMEDOUT };
#else
enum { WANTED = EINVAL };
#endif
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static void *sleep_long(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}
int main(void) {
    sem_t semaphore;
    pthread_t thread;
    struct timespec end = {0, 0};
    clockid_t clock = CLOCK_PROCESS_CPUTIME_ID;
    sem_init(&semaphore, 0, 0);
    assert(pthread_mutex_clocklock(&mutex, clock, &end) == WANTED);
    assert(pthread_rwlock_clockrdlock(&rwlock, clock, &end) == WANTED);
    assert(pthread_rwlock_clockwrlock(&rwlock, clock, &end) == WANTED);
    pthread_mutex_lock(&mutex);
    assert(pthread_cond_clockwait(&condition, &mutex, clock, &end) == WANTED);
    assert(sem_clockwait(&semaphore, clock, &end) == -1 && errno == WANTED);
    pthread_create(&thread, NULL, sleep_long, NULL);
    assert(pthread_clockjoin_np(thread, NULL, clock, &end) == WANTED);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
