/* Workers that wait in a semaphore, in a join, and in a loop with a point, are cancelled. POSTED:
 * main relies on the fact that a cancelled thread takes no unit of the semaphore. NO_POINT: the
 * loop has no cancellation point. UNWATCHED: who joins cannot be cancelled itself. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <unistd.h>

static sem_t semaphore;
static atomic_int stop, taken;

static void count(void *unused) {
    (void)unused;
    taken--;
}

static void *wait_in_semaphore(void *unused) {
    sem_wait(&semaphore);
    taken++;
    return unused;
}

static void *wait_in_loop(void *unused) {
    taken++;
    pthread_cleanup_push(count, NULL);
    while (!stop) {
#ifndef NO_POINT
        pthread_testcancel();
#endif
    }
    pthread_cleanup_pop(1);
    return unused;
}

static void *wait_in_join(void *child) {
    void *result;
    pthread_join(*(pthread_t *)child, &result);
    return result;
}

static void *cancel_other(void *other) {
    pthread_cancel(*(pthread_t *)other);
    sem_post(&semaphore);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    void *result;
    sem_init(&semaphore, 0, 0);
#ifdef JOIN
    pthread_create(&first, NULL, wait_in_semaphore, NULL);
    pthread_create(&second, NULL, wait_in_join, &first);
    pthread_cancel(second);
    pthread_join(second, &result);
    assert(result == PTHREAD_CANCELED);
    sem_post(&semaphore);
    pthread_join(first, &result);
    assert(result == NULL);
#elif defined UNWATCHED
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    pthread_create(&first, NULL, wait_in_semaphore, NULL);
    pthread_create(&second, NULL, cancel_other, &first);
    pthread_join(first, &result);
    pthread_join(second, NULL);
    assert(result == PTHREAD_CANCELED);
#elif defined LOOP
    pthread_create(&first, NULL, wait_in_loop, NULL);
    pthread_cancel(first);
    pthread_join(first, &result);
    assert(result == PTHREAD_CANCELED && taken == 0);
#else
    pthread_create(&first, NULL, wait_in_semaphore, NULL);
    pthread_create(&second, NULL, wait_in_semaphore, NULL);
    sem_post(&semaphore);
    pthread_cancel(first);
    pthread_join(first, &result);
#ifdef POSTED
    assert(result == PTHREAD_CANCELED);
#endif
    if (result) {
        pthread_join(second, NULL);
        assert(taken == 1);
    } else {
        sem_post(&semaphore);
        pthread_join(second, NULL);
        assert(taken == 2);
    }
#endif
    return 0;
}
