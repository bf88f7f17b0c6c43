/* A function whose writes nobody announces: going back must start over. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int calls;
static atomic_int x, y;

#undef no_sanitize_thread /* which heddle defines, so that the attribute has no effect */
__attribute__((no_sanitize_thread)) static int count(void) {
    return ++calls;
}

static void *writer(void *unused) {
    x = 1;
    y = x;
    return unused;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 40; i++) {
        x = i;
    }
    for (int i = 0; i < 3; i++) {
        pthread_create(&threads[i], NULL, writer, NULL);
    }
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
        assert(count() == i + 1);
    }
    return 0;
}
