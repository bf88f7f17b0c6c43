/* A thread waits for a variable on its own stack whose address it has published. */
#include "spin.h"

static _Atomic(atomic_int *) place;

static void *sets(void *argument) {
    (void)argument;
    atomic_int *where;
    while (!(where = atomic_load(&place))) {
    }
    atomic_store(where, 1);
    return NULL;
}

int main(void) {
    pthread_t thread;
    atomic_int mine = 0;
    pthread_create(&thread, NULL, sets, NULL);
    atomic_store(&place, &mine);
    while (!atomic_load(&mine)) {
        PAUSE();
    }
    pthread_join(thread, NULL);
}
