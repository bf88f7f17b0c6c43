/* A lost update: both threads read 0. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void *add(void *unused) {
    (void)unused;
    int seen = atomic_load(&counter);
    atomic_store(&counter, seen + 1);
    return NULL;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, add, NULL);
    pthread_create(&other, NULL, add, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    assert(atomic_load(&counter) == 2);
    return 0;
}
