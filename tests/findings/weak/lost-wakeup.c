/* --model=rc11: whoever sleeps has looked for work before, and whoever brings work for sleepers. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static atomic_int sleeps, work;
static sem_t wake;

static void *worker(void *unused) {
    atomic_store_explicit(&sleeps, 1, memory_order_release);
    if (!atomic_load_explicit(&work, memory_order_acquire)) {
        sem_wait(&wake);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&wake, 0, 0);
    pthread_create(&thread, NULL, worker, NULL);
    atomic_store_explicit(&work, 1, memory_order_release);
    if (atomic_load_explicit(&sleeps, memory_order_acquire)) {
        sem_post(&wake);
    }
    pthread_join(thread, NULL);
}
