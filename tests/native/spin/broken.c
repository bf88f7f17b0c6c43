/* A lock that is looked at first and taken later. */
#include "spin.h"

static atomic_int lock;

static void *body(void *argument) {
    (void)argument;
    while (atomic_load(&lock)) {
    }
    atomic_store(&lock, 1);
    section();
    atomic_store(&lock, 0);
    return NULL;
}

int main(void) {
    run_threads(body);
}
