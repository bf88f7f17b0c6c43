/* Recursive and error-checking mutexes; what a thread knows of itself is no event. Two threads, the
 * recursive section of each before or after the other's: 2; the error-checking mutex is main's.
 * expect: executions 2 errors none */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int depth;

static void *worker(void *unused) {
    (void)unused;
    for (int i = 0; i < 3; i++) {
        assert(pthread_mutex_lock(&recursive) == 0);
    }
    assert(pthread_mutex_trylock(&recursive) == 0);
    assert(depth++ == 0);
    assert(--depth == 0);
    for (int i = 0; i < 4; i++) {
        assert(pthread_mutex_unlock(&recursive) == 0);
    }
    assert(pthread_mutex_unlock(&recursive) == EPERM);
    return NULL;
}

int main(void) {
    pthread_mutex_t checking;
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&checking, &attributes);
    assert(pthread_mutex_unlock(&checking) == EPERM);
    assert(pthread_mutex_lock(&checking) == 0);
    assert(pthread_mutex_lock(&checking) == EDEADLK);
    assert(pthread_mutex_trylock(&checking) == EBUSY);
    assert(pthread_mutex_unlock(&checking) == 0);
    assert(pthread_mutex_destroy(&checking) == 0);
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, worker, NULL);
    pthread_create(&threads[1], NULL, worker, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
