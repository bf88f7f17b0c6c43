/* The lock of Mellor-Crummey and Scott: each thread waits for a variable on its own stack. */
#include "spin.h"

typedef struct node {
    _Atomic(struct node *) next;
    atomic_int waits;
} node;

static _Atomic(node *) tail;

static void acquire(node *mine) {
    atomic_store(&mine->next, NULL);
    atomic_store(&mine->waits, 1);
    node *before = atomic_exchange(&tail, mine);
    if (before) {
        atomic_store(&before->next, mine);
        while (atomic_load(&mine->waits)) {
        }
    }
}

static void release(node *mine) {
    node *after = atomic_load(&mine->next);
    if (!after) {
        node *expected = mine;
        if (atomic_compare_exchange_strong(&tail, &expected, NULL)) {
            return;
        }
        while (!(after = atomic_load(&mine->next))) {
        }
    }
    atomic_store(&after->waits, 0);
}

static void *body(void *argument) {
    (void)argument;
    node mine;
    acquire(&mine);
    section();
    release(&mine);
    return NULL;
}

int main(void) {
    run_threads(body);
}
