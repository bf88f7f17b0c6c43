/* Treiber's stack: two threads push a node of their own, one pops. ORDER: 0 relaxed, 1 release and
 * acquire. What a node holds is atomic, so that the bug is no data race. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#if ORDER
#define RELEASE memory_order_release
#define ACQUIRE memory_order_acquire
#else
#define RELEASE memory_order_relaxed
#define ACQUIRE memory_order_relaxed
#endif

typedef struct node {
    atomic_int data;
    _Atomic(struct node *) next;
} node;

static _Atomic(node *) top;

static void *push(void *argument) {
    node *n = malloc(sizeof *n);
    atomic_init(&n->data, 0);
    atomic_init(&n->next, NULL);
    atomic_store_explicit(&n->data, *(int *)argument, memory_order_relaxed);
    node *seen = atomic_load_explicit(&top, memory_order_relaxed);
    do
        atomic_store_explicit(&n->next, seen, memory_order_relaxed);
    while (!atomic_compare_exchange_strong_explicit(&top, &seen, n, RELEASE, memory_order_relaxed));
    return NULL;
}

static void *pop(void *unused) {
    node *seen = atomic_load_explicit(&top, ACQUIRE);
    while (seen) {
        node *next = atomic_load_explicit(&seen->next, memory_order_relaxed);
        if (atomic_compare_exchange_strong_explicit(&top, &seen, next, ACQUIRE, ACQUIRE)) {
            assert(atomic_load_explicit(&seen->data, memory_order_relaxed) != 0);
            break;
        }
    }
    return unused;
}

int main(void) {
    static int values[] = {1, 2};
    pthread_t t[3];
    pthread_create(&t[0], 0, push, &values[0]);
    pthread_create(&t[1], 0, push, &values[1]);
    pthread_create(&t[2], 0, pop, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    return 0;
}
