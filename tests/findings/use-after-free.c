/* The block is freed by one thread while another uses it. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int *block;

static void *release(void *unused) {
    (void)unused;
    free(block);
    return NULL;
}

int main(void) {
    pthread_t thread;
    block = calloc(1, sizeof *block);
    pthread_create(&thread, NULL, release, NULL);
    atomic_store(block, 1);
    pthread_join(thread, NULL);
    return 0;
}
