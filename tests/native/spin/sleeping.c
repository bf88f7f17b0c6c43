/* A loop that sleeps while it waits, in a program that looks at a clock elsewhere: each round is
 * later, which only the loop's own looks at a clock could tell.
 *
 * COARSE: it gives up after a second, by a clock that counts seconds. UNSET: nobody ends the loop.
 * AFTER: the time is looked at after the loop. UNDER: each round looks under a lock, which then has
 * the time of that round. TIMED: each round tries a lock that the thread holds itself until a time
 * of which it knows. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static atomic_int ready;
static struct timespec seen, then;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
#ifdef UNDER
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
#endif

static void *other(void *none) {
    sleep(3);
    clock_gettime(CLOCK_MONOTONIC, &seen);
#ifndef UNSET
#ifdef UNDER
    pthread_mutex_lock(&guard);
#endif
    ready = 1;
#ifdef UNDER
    pthread_mutex_unlock(&guard);
#endif
#endif
    return none;
}

#ifdef UNDER
static int look(void) {
    pthread_mutex_lock(&guard);
    int result = ready;
    pthread_mutex_unlock(&guard);
    return result;
}
#endif

int main(void) {
    pthread_t thread;
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, NULL, other, NULL);
#ifdef COARSE
    time_t end = time(NULL) + 1;
    while (!ready && time(NULL) < end) {
#elif defined TIMED
    struct timespec end = {1000000001, 0};
    while (!ready && pthread_mutex_timedlock(&mutex, &end) != 0) {
#elif defined UNDER
    while (!look()) {
#else
    while (!ready) {
#endif
        usleep(100000);
    }
#ifdef AFTER
    clock_gettime(CLOCK_MONOTONIC, &then);
    assert(then.tv_sec == seen.tv_sec && then.tv_nsec > seen.tv_nsec);
#endif
    pthread_join(thread, NULL);
    return 0;
}
