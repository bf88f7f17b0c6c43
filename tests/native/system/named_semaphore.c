/* Two threads open a semaphore by name; a token goes from one to the other. LOST: one of them
 * creates another semaphore. TWICE: it is closed twice. CLOSED: it is used after it was closed. */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>

static int token;

static void *send(void *unused) {
    sem_t *semaphore = sem_open("/token", O_CREAT, 0600, 0);
    assert(semaphore != SEM_FAILED);
    token = 1;
    sem_post(semaphore);
    sem_close(semaphore);
#ifdef TWICE
    sem_close(semaphore);
#endif
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, send, NULL);
#ifdef LOST
    sem_t *semaphore = sem_open("/token ", O_CREAT, 0600, 0);
#else
    sem_t *semaphore = sem_open("/token", O_CREAT, 0600, 0);
#endif
    assert(semaphore != SEM_FAILED);
    sem_wait(semaphore);
    assert(token == 1);
    pthread_join(thread, NULL);
    sem_close(semaphore);
#ifdef CLOSED
    sem_post(semaphore);
#endif
    assert(sem_unlink("/token") == 0);
    assert(sem_open("/token", 0) == SEM_FAILED);
    return 0;
}
