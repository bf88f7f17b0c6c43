// A named semaphore as a lock: the first user creates it with one unit.
// verified
// ZERO_UNITS: deadlock waits for a post
// EXCLUSIVE: crash|misuse|assertion .
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#ifdef EXCLUSIVE
enum { FLAGS = O_CREAT | O_EXCL };
#else
enum { FLAGS = O_CREAT };
#endif
static int shared;
static void *use(void *unused) {
#ifdef ZERO_UNITS
    sem_t *lock = sem_open("/lock", FLAGS, 0600, 0);
#else
    sem_t *lock = sem_open("/lock", FLAGS, 0600, 1);
#endif
    sem_wait(lock);
    shared++;
    sem_post(lock);
    sem_close(lock);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, use, NULL);
    use(NULL);
    pthread_join(thread, NULL);
    sem_unlink("/lock");
    assert(shared == 2);
    return 0;
}
