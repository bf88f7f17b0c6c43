/* The queue of Michael and Scott: two threads append a node, one takes the first. ORDER: 0 relaxed, 1
 * release and acquire. What a node holds is atomic, so that the bug is no data race. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

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

static node nodes[3]; /* the first is the dummy */
static _Atomic(node *) head = &nodes[0], tail = &nodes[0];

static void *append(void *argument) {
    node *own = argument, *none = NULL;
    atomic_store_explicit(&own->data, 1, memory_order_relaxed);
    for (;;) {
        node *last = atomic_load_explicit(&tail, ACQUIRE);
        node *next = atomic_load_explicit(&last->next, ACQUIRE);
        if (next) {
            atomic_compare_exchange_strong_explicit(&tail, &last, next, RELEASE,
                                                    memory_order_relaxed);
        } else if (atomic_compare_exchange_strong_explicit(&last->next, &none, own, RELEASE,
                                                           memory_order_relaxed)) {
            atomic_compare_exchange_strong_explicit(&tail, &last, own, RELEASE,
                                                    memory_order_relaxed);
            return NULL;
        }
        none = NULL;
    }
}

static void *take(void *unused) {
    node *first = atomic_load_explicit(&head, ACQUIRE);
    node *next = atomic_load_explicit(&first->next, ACQUIRE);
    if (next && atomic_compare_exchange_strong_explicit(&head, &first, next, RELEASE,
                                                        memory_order_relaxed))
        assert(atomic_load_explicit(&next->data, memory_order_relaxed) != 0);
    return unused;
}

int main(void) {
    pthread_t t[3];
    pthread_create(&t[0], NULL, append, &nodes[1]);
    pthread_create(&t[1], NULL, append, &nodes[2]);
    pthread_create(&t[2], NULL, take, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
