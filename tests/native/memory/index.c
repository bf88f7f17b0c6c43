/* A thread takes the next slot of an array without a test: three takes are too many in some
 * schedules only. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int next;

static void *take(void *argument) {
    int slots[3] = {0};
#ifdef RIGHT
    int slot = atomic_fetch_add(&next, 1) % 3;
#else
    int slot = atomic_fetch_add(&next, 1);
#endif
    slots[slot] = 1;
    return argument;
}

static void *skip(void *argument) {
    atomic_fetch_add(&next, 3);
    return argument;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, skip, NULL);
    pthread_create(&other, NULL, take, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
