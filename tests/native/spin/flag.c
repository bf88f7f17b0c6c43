/* One thread waits for a flag, in one of several ways. */
#include "spin.h"

static atomic_int flag;
static int data;

static void *waits(void *argument) {
    (void)argument;
    while (!atomic_load(&flag)) {
        PAUSE();
    }
    assert(data == 1);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waits, NULL);
    data = 1;
    atomic_store(&flag, 1);
    pthread_join(thread, NULL);
}
