/* A lock by compare-and-swap. */
#include "spin.h"

static atomic_int lock;

static void *body(void *argument) {
    (void)argument;
    int expected = 0;
    while (!atomic_compare_exchange_strong(&lock, &expected, 1)) {
        expected = 0;
    }
    section();
    atomic_store(&lock, 0);
    return NULL;
}

int main(void) {
    run_threads(body);
}
