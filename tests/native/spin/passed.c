/* The value that is waited for may have come and gone. */
#include "spin.h"

static atomic_int state;

static void *waits(void *argument) {
    (void)argument;
    while (atomic_load(&state) != 1) {
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waits, NULL);
    atomic_store(&state, 1);
    atomic_store(&state, 2);
    pthread_join(thread, NULL);
}
