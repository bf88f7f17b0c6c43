/* Two test-and-set locks in opposite orders. */
#include "spin.h"

static atomic_int locks[2];

static void acquire(atomic_int *lock) {
    while (atomic_exchange(lock, 1)) {
    }
}

static void *body(void *argument) {
    int first = (int)(long)argument;
    acquire(&locks[first]);
    acquire(&locks[1 - first]);
    atomic_store(&locks[1 - first], 0);
    atomic_store(&locks[first], 0);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, body, (void *)1);
    body((void *)0);
}
