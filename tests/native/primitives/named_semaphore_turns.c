// Two users of one name; the second one finds the semaphore of the first.
// verified
// UNLINKED_EARLY: deadlock waits for a post
// CLOSED_TWICE: misuse clos
// NOT_CREATED: assertion shared != SEM_FAILED
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
static void *other(void *unused) {
#ifdef NOT_CREATED
    sem_t *shared = sem_open("/turn", 0);
    assert(shared != SEM_FAILED);
#else
    sem_t *shared = sem_open("/turn", O_CREAT, 0600, 0);
#endif
    sem_post(shared);
    sem_close(shared);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    sem_t *own = sem_open("/turn", O_CREAT, 0600, 0);
#ifdef UNLINKED_EARLY
    sem_unlink("/turn");
#endif
    sem_wait(own);
    pthread_join(thread, NULL);
    sem_close(own);
#ifdef CLOSED_TWICE
    sem_close(own);
#endif
    sem_unlink("/turn");
    return 0;
}
