/* Michael and Scott's queue, two producers and a consumer. With BUG a producer links its
 * node with a store after it has looked, in two steps: elements are lost.
 * expect: errors none
 * expect -DBUG: errors assertion */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

struct node {
    int value;
    _Atomic(struct node *) next;
};

static _Atomic(struct node *) head, tail;

static struct node *new_node(int value) {
    struct node *n = malloc(sizeof *n);
    n->value = value;
    atomic_init(&n->next, NULL);
    return n;
}

static void enqueue(int value) {
    struct node *n = new_node(value);
    for (;;) {
        struct node *last = atomic_load(&tail);
        struct node *next = atomic_load(&last->next);
#ifdef BUG
        if (!next) {
            atomic_store(&last->next, n);
            atomic_compare_exchange_strong(&tail, &last, n);
            return;
        }
        atomic_compare_exchange_strong(&tail, &last, next);
#else
        if (next) {
            atomic_compare_exchange_strong(&tail, &last, next);
            continue;
        }
        if (atomic_compare_exchange_strong(&last->next, &next, n)) {
            atomic_compare_exchange_strong(&tail, &last, n);
            return;
        }
#endif
    }
}

static int dequeue(void) {
    for (;;) {
        struct node *first = atomic_load(&head);
        struct node *last = atomic_load(&tail);
        struct node *next = atomic_load(&first->next);
        if (!next) {
            return 0;
        }
        if (first == last) {
            atomic_compare_exchange_strong(&tail, &last, next);
            continue;
        }
        int value = next->value;
        if (atomic_compare_exchange_strong(&head, &first, next)) {
            return value; /* nodes are not freed: others may still look at them */
        }
    }
}

static void *producer(void *argument) {
    enqueue((int)(size_t)argument);
    return NULL;
}

static void *consumer(void *argument) {
    *(int *)argument = dequeue();
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    int taken = 0;
    struct node *dummy = new_node(0);
    atomic_init(&head, dummy);
    atomic_init(&tail, dummy);
    pthread_create(&threads[0], NULL, producer, (void *)1);
    pthread_create(&threads[1], NULL, producer, (void *)2);
    pthread_create(&threads[2], NULL, consumer, &taken);
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
    }
    int sum = taken;
    for (int value; (value = dequeue());) {
        sum += value;
    }
    assert(sum == 3);
    return 0;
}
