/* A packed struct: `b` lies across two granules. Its writer conflicts with both readers, each of
 * whom reads one end of it: each reader before or after: 4.
 * expect --no-race: executions 4 errors none */
#include <pthread.h>

static struct __attribute__((packed, aligned(8))) {
    char a[5];
    long b;
} packed;

static void *writer(void *unused) {
    (void)unused;
    packed.b = -1;
    return NULL;
}

static void *first_end(void *unused) {
    (void)unused;
    return ((char *)&packed)[5] ? unused : NULL;
}

static void *last_end(void *unused) {
    (void)unused;
    return ((char *)&packed)[12] ? unused : NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    pthread_create(&thread, NULL, first_end, NULL);
    pthread_create(&thread, NULL, last_end, NULL);
    return 0;
}
