// A semaphore counts the free slots of a pool.
// verified
// TRY_IGNORED: data-race|assertion .
// POST_TWICE: data-race|assertion .
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
static sem_t slot;
static int users;
static void *use(void *unused) {
#ifdef TRY_IGNORED
    sem_trywait(&slot);
#else
    sem_wait(&slot);
#endif
    users++;
    assert(users == 1);
    users--;
    sem_post(&slot);
#ifdef POST_TWICE
    sem_post(&slot);
#endif
    return unused;
}
int main(void) {
    pthread_t threads[2];
    int value;
    sem_init(&slot, 0, 1);
    pthread_create(&threads[0], NULL, use, NULL);
    pthread_create(&threads[1], NULL, use, NULL);
    use(NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    sem_getvalue(&slot, &value);
    assert(value == 1);
    sem_destroy(&slot);
    return 0;
}
