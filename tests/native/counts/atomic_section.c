/* A section of two writes is one step: `[wx1,wy1] / wx2 / wy2`: 4.
 * expect: executions 4 errors none */
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *section(void *unused) {
    (void)unused;
    heddle_atomic_begin();
    x = 1;
    y = 1;
    heddle_atomic_end();
    return NULL;
}

static void *write_x(void *unused) {
    (void)unused;
    x = 2;
    return NULL;
}

static void *write_y(void *unused) {
    (void)unused;
    y = 2;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, section, NULL);
    pthread_create(&thread, NULL, write_x, NULL);
    pthread_create(&thread, NULL, write_y, NULL);
    return 0;
}
