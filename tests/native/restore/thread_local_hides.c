// bug assertion: the second execution must find the thread-local variable unused again
#include <assert.h>
#include <pthread.h>

static __thread long used;
static int x;

static void *idle(void *unused) { /* has no step */
    (void)unused;
    return (void *)used++;
}

static void *writer(void *unused) {
    __atomic_store_n(&x, 1, __ATOMIC_SEQ_CST);
    return unused;
}

int main(void) {
    pthread_t a, b;
    void *earlier;
    pthread_create(&a, NULL, idle, NULL);
    pthread_join(a, &earlier);
    pthread_create(&b, NULL, writer, NULL);
    int seen = __atomic_load_n(&x, __ATOMIC_SEQ_CST);
    pthread_join(b, NULL);
    assert(!seen || earlier);
    return 0;
}
