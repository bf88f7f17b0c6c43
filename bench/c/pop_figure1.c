/* The example of the paper on parsimonious optimal reduction. 32 traces. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int g, x, y, z;

static void *p(void *unused) {
    (void)unused;
    x = 1;
    return NULL;
}

static void *q(void *unused) {
    (void)unused;
    y = 1;
    z = 1;
    return NULL;
}

static void *r(void *unused) {
    (void)unused;
    g = 1;
    (void)y;
    (void)x;
    return NULL;
}

static void *s(void *unused) {
    (void)unused;
    (void)y;
    (void)z;
    (void)x;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, p, NULL);
    pthread_create(&thread, NULL, q, NULL);
    pthread_create(&thread, NULL, r, NULL);
    pthread_create(&thread, NULL, s, NULL);
    return 0;
}
