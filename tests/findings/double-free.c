/* Both threads find the pointer and free it. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static void *_Atomic block;

static void *release(void *unused) {
    (void)unused;
    void *found = atomic_load(&block);
    if (found) {
        atomic_store(&block, NULL);
        free(found);
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    atomic_store(&block, malloc(8));
    pthread_create(&thread, NULL, release, NULL);
    release(NULL);
    pthread_join(thread, NULL);
    return 0;
}
