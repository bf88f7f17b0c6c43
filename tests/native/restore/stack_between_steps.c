// verified: what a call left deep on a stack between two steps is gone in the next execution
#include <pthread.h>
#include <string.h>

static int x;

__attribute__((noinline)) static void use(int depth) {
    volatile char room[4000];
    room[0] = (char)depth;
    if (depth) {
        use(depth - 1);
    }
    room[3999] = 1;
}

__attribute__((noinline)) static int left_over(void) {
    volatile char room[60000]; /* not initialised */
    int found = 0;
    for (int i = 0; i < 40000; i++) {
        found |= room[i];
    }
    return found;
}

static void *worker(void *unused) {
    if (left_over()) {
        __builtin_trap();
    }
    use(12);
    __atomic_fetch_add(&x, 1, __ATOMIC_SEQ_CST);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
