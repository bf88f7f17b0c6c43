#include "stack.h"

#include <stdatomic.h>
#include <stdlib.h>

typedef struct node {
    int value;
    struct node *next;
    struct node *retired; /* the next one that its thread has popped and not freed */
} node;

static _Atomic(node *) top, hazards[STACK_THREADS];
static node *retired[STACK_THREADS]; /* popped by the thread, not yet freed */

void stack_push(int value) {
    node *n = malloc(sizeof *n);
    n->value = value;
    n->next = atomic_load(&top);
    while (!atomic_compare_exchange_strong(&top, &n->next, n)) {
    }
}

/* The top, which nobody frees until the hazard pointer points elsewhere. */
static node *protect_top(int self) {
    node *n = atomic_load(&top);
    atomic_store(&hazards[self], n);
#ifndef NO_RECHECK
    node *again;
    while ((again = atomic_load(&top)) != n) {
        n = again;
        atomic_store(&hazards[self], n);
    }
#endif
    return n;
}

static bool is_protected(const node *n) {
    for (int i = 0; i < STACK_THREADS; i++) {
        if (atomic_load(&hazards[i]) == n) {
            return true;
        }
    }
    return false;
}

static void retire(int self, node *n) {
    n->retired = retired[self];
    retired[self] = n;
}

static void collect(int self) {
    node *list = retired[self];
    retired[self] = NULL;
    while (list) {
        node *n = list;
        list = n->retired;
        if (is_protected(n)) {
            retire(self, n);
        } else {
            free(n);
        }
    }
}

bool stack_pop(int self, int *value) {
    node *n = protect_top(self);
    while (n && !atomic_compare_exchange_strong(&top, &(node *){n}, n->next)) {
        n = protect_top(self);
    }
    atomic_store(&hazards[self], NULL);
    if (!n) {
        return false;
    }
    *value = n->value;
    retire(self, n);
    collect(self);
    return true;
}

void stack_finish(int self) {
    collect(self);
}
