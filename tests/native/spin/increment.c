/* An increment by compare-and-swap: no spin loop, because what is expected changes. */
#include "spin.h"

static atomic_int counter;

static void *body(void *argument) {
    (void)argument;
    int old = atomic_load(&counter);
    while (!atomic_compare_exchange_weak(&counter, &old, old + 1)) {
    }
    return NULL;
}

int main(void) {
    run_threads(body);
    assert(counter == N);
}
