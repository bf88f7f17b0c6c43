/* Spins on a local that nobody changes, if the other thread is late. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;

static void *prepare(void *unused) {
    (void)unused;
    atomic_store(&ready, 1);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, prepare, NULL);
    int seen = atomic_load(&ready);
    while (!seen) continue;
    pthread_join(thread, NULL);
    return 0;
}
