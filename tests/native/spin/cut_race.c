/* Executions that are cut, in which plain accesses race: what a loop under one mutex looks at is
 * written under another one, and nobody knows of it in time. */
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static sem_t semaphore;
static int value;

static void *wait_without_change(void *unused) {
    long seen;
    do {
        pthread_mutex_lock(&one);
        seen = value;
        pthread_mutex_unlock(&one);
    } while (seen <= 1);
    return unused;
}

static void *wait_for_change(void *unused) {
    long seen;
    sem_wait(&semaphore);
    do {
        pthread_mutex_lock(&other);
        seen = value;
        pthread_mutex_unlock(&other);
    } while (seen != 1);
    sem_post(&semaphore);
    return unused;
}

static void *change(void *unused) {
    pthread_mutex_lock(&other);
    value = 1;
    pthread_mutex_unlock(&other);
    return unused;
}

int main(void) {
    void *(*const starts[])(void *) = {wait_without_change, wait_for_change, change};
    pthread_t threads[3];
    sem_init(&semaphore, 0, 2);
    for (int i = 0; i < 3; i++) {
        pthread_create(&threads[i], NULL, starts[i], NULL);
    }
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
    }
    return 0;
}
