/* Waits until the value of a semaphore is not 0. */
#include <semaphore.h>

#include "spin.h"

static sem_t semaphore;

static void *waiter(void *argument) {
    int value = 0;
    while (!value) {
        sem_getvalue(&semaphore, &value);
    }
    assert(value == 1);
    return argument;
}

int main(void) {
    pthread_t thread;
    sem_init(&semaphore, 0, 0);
    pthread_create(&thread, NULL, waiter, NULL);
    sem_post(&semaphore);
    pthread_join(thread, NULL);
    return 0;
}
