/* Both threads announce themselves, and each waits for the other one to withdraw. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int mine, other;

static void *enter(void *unused) {
    atomic_store(&mine, 1);
    while (atomic_load(&other)) {
    }
    atomic_store(&mine, 0);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, enter, NULL);
    atomic_store(&other, 1);
    while (atomic_load(&mine)) {
    }
    atomic_store(&other, 0);
    pthread_join(thread, NULL);
    return 0;
}
