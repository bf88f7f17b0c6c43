// bug assertion: the last thread calls the functions of atexit
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static _Atomic int ended;

static void end(void) {
    assert(ended != 2);
}

static void *worker(void *unused) {
    ended++;
    return unused;
}

int main(void) {
    pthread_t a, b;
    atexit(end);
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_exit(NULL);
}
