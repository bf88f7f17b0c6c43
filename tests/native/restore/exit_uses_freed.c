// bug assertion: what an exit function does belongs to the program
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static _Atomic int working;

static void check(void) {
    assert(!working);
}

static void *worker(void *unused) {
    working = 1;
    working = 0;
    return unused;
}

int main(void) {
    pthread_t t;
    atexit(check);
    pthread_create(&t, NULL, worker, NULL);
    exit(0);
}
