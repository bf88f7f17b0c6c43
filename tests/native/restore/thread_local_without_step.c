// verified: thread-local variables are restored for every execution, though their thread has no step
#include <assert.h>
#include <pthread.h>

static __thread int count;
static __thread int set = 7;
static int x;

static void *idle(void *unused) {
    count++;
    set++;
    if (count != 1 || set != 8) {
        __builtin_trap();
    }
    return unused;
}

static void *writer(void *unused) {
    __atomic_store_n(&x, 1, __ATOMIC_SEQ_CST);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, idle, NULL);
    pthread_create(&b, NULL, writer, NULL);
    __atomic_store_n(&x, 2, __ATOMIC_SEQ_CST);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
