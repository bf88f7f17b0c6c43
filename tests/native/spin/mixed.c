/* A plain write races with rounds of a loop that only reads atomically, and not with the last. */
#include "spin.h"

static _Atomic int ready;
static int flag;

static void *body(void *argument) {
    if ((long)argument == 0) {
        while (__atomic_load_n(&flag, __ATOMIC_SEQ_CST) != 1) {
        }
    } else if ((long)argument == 1) {
        if (ready) {
            flag = 5;
        }
        __atomic_store_n(&flag, 1, __ATOMIC_SEQ_CST);
    } else {
        ready = 1;
    }
    return NULL;
}

int main(void) {
    run_threads(body);
}
