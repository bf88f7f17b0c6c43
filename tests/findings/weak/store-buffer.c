/* --model=tso: each thread announces itself and then looks for the other. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], inside;

static void enter(int own) {
    atomic_store_explicit(&wants[own], 1, memory_order_release);
    if (!atomic_load_explicit(&wants[1 - own], memory_order_acquire)) {
        assert(atomic_fetch_add(&inside, 1) == 0);
    }
}

static void *other(void *unused) {
    enter(1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    enter(0);
    pthread_join(thread, NULL);
}
