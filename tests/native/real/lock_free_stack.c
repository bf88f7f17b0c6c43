/* Treiber's stack, with nodes that are freed. The head carries a counter against ABA; with BUG it
 * does not, and a node that was freed and used again breaks the stack.
 * expect: errors none
 * expect -DBUG: errors assertion */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    _Atomic(struct node *) next;
    atomic_int in_stack;
};

struct head {
    struct node *top;
    size_t count;
};

static _Atomic struct head head;
static struct node nodes[3];

static void push(struct node *n) {
    assert(atomic_exchange(&n->in_stack, 1) == 0);
    struct head old = atomic_load(&head), new;
    do {
        n->next = old.top;
        new.top = n;
#ifdef BUG
        new.count = 0;
#else
        new.count = old.count + 1;
#endif
    } while (!atomic_compare_exchange_strong(&head, &old, new));
}

static struct node *pop(void) {
    struct head old = atomic_load(&head), new;
    do {
        if (!old.top) {
            return NULL;
        }
        new.top = old.top->next;
#ifdef BUG
        new.count = 0;
#else
        new.count = old.count + 1;
#endif
    } while (!atomic_compare_exchange_strong(&head, &old, new));
    assert(atomic_exchange(&old.top->in_stack, 0) == 1);
    return old.top;
}

static void *one(void *unused) {
    (void)unused;
    pop();
    return NULL;
}

static void *two(void *unused) {
    (void)unused;
    struct node *a = pop();
    pop();
    if (a) {
        push(a);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 2; i >= 0; i--) {
        push(&nodes[i]);
    }
    pthread_create(&threads[0], NULL, one, NULL);
    pthread_create(&threads[1], NULL, two, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    while (pop()) {
    }
    return 0;
}
