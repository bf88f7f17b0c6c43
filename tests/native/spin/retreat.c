/* What a round does, the next one undoes: no spin loop. */
#include "spin.h"

static atomic_int busy;

static void *body(void *argument) {
    (void)argument;
    while (atomic_fetch_add(&busy, 1)) {
        atomic_fetch_sub(&busy, 1);
    }
    atomic_fetch_sub(&busy, 1);
    return NULL;
}

int main(void) {
    run_threads(body);
}
