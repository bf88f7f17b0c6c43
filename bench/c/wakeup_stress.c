/* N threads add to one counter; another adds to a second one before or after they are done.
 * 2 * N! traces. */
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int c1, c2;
static pthread_t workers[N];

static void *first(void *unused) {
    (void)unused;
    c1++;
    return NULL;
}

static void *worker(void *unused) {
    (void)unused;
    c2++;
    return NULL;
}

static void *last(void *unused) {
    (void)unused;
    for (int i = 0; i < N; i++) {
        pthread_join(workers[i], NULL);
    }
    c1++;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, first, NULL);
    for (int i = 0; i < N; i++) {
        pthread_create(&workers[i], NULL, worker, NULL);
    }
    pthread_create(&thread, NULL, last, NULL);
    return 0;
}
