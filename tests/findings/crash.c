/* A pointer is used before the other thread has set it. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int value = 7;
static int *_Atomic place;

static void *publish(void *unused) {
    (void)unused;
    atomic_store(&place, &value);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, publish, NULL);
    int *seen = atomic_load(&place);
    int result = *seen;
    pthread_join(thread, NULL);
    return result - 7;
}
