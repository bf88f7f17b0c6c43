/* A node that may not be there yet. CALL is what is done with its value, atomically. */
#include <pthread.h>
#include <stdatomic.h>

struct node {
    _Atomic int value;
};

static _Atomic(struct node *) head;
static struct node first;

static void *put(void *unused) {
    atomic_store_explicit(&head, &first, memory_order_release);
    return unused;
}

int main(void) {
    pthread_t t;
    int old = 0;
    pthread_create(&t, NULL, put, NULL);
    struct node *n = atomic_load_explicit(&head, memory_order_acquire);
    (void)(CALL);
    pthread_join(t, NULL);
    return old < 0;
}
