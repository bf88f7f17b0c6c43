/* A worker that reads or writes files in a loop is cancelled there: POSIX says that CALL is a
 * point, or (for streams) may be one. LOCKED: it prints with a mutex locked, which nobody then
 * unlocks. PAST: it relies on being cancelled where that is left open. */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int asked;

#ifndef CALL
#define CALL puts("x")
#endif

static void *work(void *unused) {
#if defined LOCKED
    pthread_mutex_lock(&mutex);
    CALL;
    pthread_mutex_unlock(&mutex);
#elif defined PAST
    while (!asked) {
    }
    CALL;
    assert(!"not cancelled");
#else
    for (;;) {
        CALL;
    }
#endif
    return unused;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, work, NULL);
    pthread_cancel(thread);
    asked = 1;
    pthread_join(thread, &result);
    pthread_mutex_lock(&mutex);
#ifndef LOCKED
    assert(result == PTHREAD_CANCELED);
#endif
    pthread_mutex_unlock(&mutex);
    return 0;
}
