/* Ends with a status that depends on the order. */
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
    pthread_join(thread, NULL);
    return seen ? 0 : 3;
}
