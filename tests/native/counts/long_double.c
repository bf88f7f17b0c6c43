/* A long double has 16 bytes and one step: writer and reader, 2.
 * expect --no-race: executions 2 errors none */
#include <assert.h>
#include <pthread.h>

static long double x = 1.5L;

static void *writer(void *unused) {
    (void)unused;
    x = 2.5L;
    return NULL;
}

static void *reader(void *unused) {
    (void)unused;
    long double value = x;
    assert(value == 1.5L || value == 2.5L);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    pthread_create(&thread, NULL, reader, NULL);
    return 0;
}
