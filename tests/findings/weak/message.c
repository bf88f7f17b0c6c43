/* --model=rc11: the flag says that the data is there, but orders nothing. */
#include <pthread.h>
#include <stdatomic.h>

static int data, copy;
static atomic_int ready;

static void *send(void *unused) {
    data = 42;
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, send, NULL);
    if (atomic_load_explicit(&ready, memory_order_relaxed)) {
        copy = data;
    }
    pthread_join(thread, NULL);
}
