// verified: constructors start from the same memory in every execution, in the order of priorities
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int order, early, *block;
static _Atomic int x;

static void *worker(void *unused) {
    x++;
    return unused;
}

__attribute__((constructor(200))) static void first(void) {
    early = ++order;
}

__attribute__((constructor)) static void second(void) {
    assert(early == 1 && ++order == 2);
    block = malloc(sizeof *block);
    *block = order;
}

int main(void) {
    pthread_t a, b;
    assert(order == 2 && *block == 2);
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    *block = x;
    order++;
    free(block);
    return 0;
}
