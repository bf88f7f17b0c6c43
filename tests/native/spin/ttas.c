/* A test-and-test-and-set lock. */
#include "spin.h"

static atomic_int lock;

static void acquire(void) {
    do {
        while (atomic_load(&lock)) {
        }
    } while (atomic_exchange(&lock, 1));
}

static void *body(void *argument) {
    (void)argument;
    acquire();
    section();
    atomic_store(&lock, 0);
    return NULL;
}

int main(void) {
    run_threads(body);
}
