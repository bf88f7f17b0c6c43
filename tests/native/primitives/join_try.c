// A thread looks from time to time whether another one has ended.
// verified --timeouts=may
// BUSY_IGNORED: use-after-free|data-race local|value
// TIMEOUT_IGNORED --timeouts=may: use-after-free|data-race local|value
// NEVER_JOINED: use-after-free|data-race local|value
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>
static void *work(void *value) {
    *(int *)value = 1;
    return NULL;
}
static int start(void) {
    pthread_t thread;
    struct timespec limit;
    int value = 0;
    pthread_create(&thread, NULL, work, &value);
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec++;
    if (pthread_tryjoin_np(thread, NULL) == EBUSY) {
#ifdef BUSY_IGNORED
        int seen = value;
        pthread_join(thread, NULL);
        return seen + 1;
#elif defined NEVER_JOINED
        return 1;
#else
        int status = pthread_timedjoin_np(thread, NULL, &limit);
#ifdef TIMEOUT_IGNORED
        return value + status;
#else
        if (status == ETIMEDOUT) {
            pthread_join(thread, NULL);
        }
#endif
#endif
    }
    return value;
}
int main(void) {
    assert(start() > 0);
    return 0;
}
