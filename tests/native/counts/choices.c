/* Choices are explored: `n2 rx / wx1`: 4.
 * expect: executions 4 errors none */
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *chooser(void *unused) {
    (void)unused;
    heddle_choose(2);
    (void)x;
    return NULL;
}

static void *writer(void *unused) {
    (void)unused;
    x = 1;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, chooser, NULL);
    pthread_create(&thread, NULL, writer, NULL);
    return 0;
}
