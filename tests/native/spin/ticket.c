/* A ticket lock. */
#include "spin.h"

static atomic_int next, serving;

static void *body(void *argument) {
    (void)argument;
    int mine = atomic_fetch_add(&next, 1);
    while (atomic_load(&serving) != mine) {
    }
    section();
    atomic_store(&serving, mine + 1);
    return NULL;
}

int main(void) {
    run_threads(body);
}
