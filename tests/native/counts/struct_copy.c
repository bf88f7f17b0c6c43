/* A struct copy is one step: the reader sees all of it or nothing.
 * T1: a = b (one write of a, one read of b); T2: reads a.x and a.z; T3: writes b.y.
 * a: the copy is before, between or after the two reads (3); b: the write before or after (2).
 * expect --no-race: executions 6 errors none */
#include <assert.h>
#include <pthread.h>

struct triple {
    long x, y, z;
};
static struct triple a, b = {1, 2, 3};

static void *copier(void *unused) {
    (void)unused;
    a = b;
    return NULL;
}

static void *reader(void *unused) {
    (void)unused;
    long x = a.x, z = a.z;
    assert(x == 0 || z == 3);
    return NULL;
}

static void *writer(void *unused) {
    (void)unused;
    b.y = 5;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, copier, NULL);
    pthread_create(&thread, NULL, reader, NULL);
    pthread_create(&thread, NULL, writer, NULL);
    return 0;
}
