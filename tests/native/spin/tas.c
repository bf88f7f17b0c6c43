/* A test-and-set lock. */
#include "spin.h"

static atomic_flag lock = ATOMIC_FLAG_INIT;

static void *body(void *argument) {
    (void)argument;
    while (atomic_flag_test_and_set(&lock)) {
    }
    section();
    atomic_flag_clear(&lock);
    return NULL;
}

int main(void) {
    run_threads(body);
}
