/* A worker waits for work, with a handler that gives the mutex back; main cancels it. KEPT: there
 * is no handler. DISABLED: the worker does not let itself be cancelled. EARLY: main does not join.
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int work, given_up;

static void give_back(void *unused) {
    (void)unused;
    given_up = 1;
    pthread_mutex_unlock(&mutex);
}

static void *wait_for_work(void *unused) {
#ifdef DISABLED
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
#endif
    pthread_mutex_lock(&mutex);
#ifdef KEPT
    while (!work) {
        pthread_cond_wait(&changed, &mutex);
    }
    pthread_mutex_unlock(&mutex);
#else
    pthread_cleanup_push(give_back, unused);
    while (!work) {
        pthread_cond_wait(&changed, &mutex);
    }
    pthread_cleanup_pop(0);
    pthread_mutex_unlock(&mutex);
#endif
    return unused;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, wait_for_work, NULL);
    assert(pthread_cancel(thread) == 0);
#ifdef EARLY
    assert(given_up);
#endif
    pthread_join(thread, &result);
    assert(result == PTHREAD_CANCELED);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return 0;
}
