/* The pointer to the block is overwritten. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static void *_Atomic block;

static void *take(void *unused) {
    (void)unused;
    atomic_store(&block, NULL);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, take, NULL);
    atomic_store(&block, malloc(24));
    pthread_join(thread, NULL);
    free(atomic_load(&block));
    return 0;
}
