/* Damages memory past heddle's eyes, in a program that has a bug. */
#include <assert.h>
#include <pthread.h>

int x, y;

static void *run(void *unused) {
    x = 1;
    y = x;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    x = 2;
    assert(y != 2);
    pthread_join(thread, 0);
    return 0;
}
