/* A sequence lock; with BUG the reader does not look again. */
#include "spin.h"

static atomic_int sequence, first, second;

static void *reads(void *argument) {
    (void)argument;
    int before, one, two;
    do {
        before = atomic_load(&sequence);
        one = atomic_load(&first);
        two = atomic_load(&second);
#ifdef BUG
    } while (before % 2);
#else
    } while (before % 2 || atomic_load(&sequence) != before);
#endif
    assert(one == two);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, reads, NULL);
    atomic_store(&sequence, 1);
    atomic_store(&first, 1);
    atomic_store(&second, 1);
    atomic_store(&sequence, 2);
    pthread_join(thread, NULL);
}
