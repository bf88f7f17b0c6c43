/* JACM 2017, figure 2. 5 traces. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, z;

static void *p(void *unused) {
    (void)unused;
    x = 2;
    return NULL;
}

static void *q(void *unused) {
    (void)unused;
    y = 1;
    return NULL;
}

static void *r(void *unused) {
    (void)unused;
    int m = y;
    if (!m) {
        z = 1;
    }
    return NULL;
}

static void *s(void *unused) {
    (void)unused;
    int n = z;
    if (n) {
        int l = y;
        if (!l) {
            x = 1;
        }
    }
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
