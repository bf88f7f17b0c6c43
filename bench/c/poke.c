/* N workers set their flags; four times a reader collects the flag of a worker that a chooser
 * names. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#ifndef N
#define N 3
#endif
enum { ROUNDS = 4 };

static pthread_mutex_t locks[N], mi;
static int a[N], i, d;

static void *worker(void *argument) {
    intptr_t id = (intptr_t)argument;
    pthread_mutex_lock(&locks[id]);
    a[id] = 1;
    pthread_mutex_unlock(&locks[id]);
    return NULL;
}

static void *chooser(void *unused) {
    (void)unused;
    for (int x = 1; x < N; x++) {
        pthread_mutex_lock(&mi);
        i = x;
        pthread_mutex_unlock(&mi);
    }
    return NULL;
}

static void *reader(void *unused) {
    (void)unused;
    pthread_mutex_lock(&mi);
    int k = i;
    pthread_mutex_unlock(&mi);
    pthread_mutex_lock(&locks[k]);
    if (a[k] == 1) {
        d = d + 1;
        a[k] = 0;
    }
    pthread_mutex_unlock(&locks[k]);
    return NULL;
}

int main(void) {
    pthread_t workers[N], one, other;
    for (intptr_t x = 0; x < N; x++) {
        pthread_create(&workers[x], NULL, worker, (void *)x);
    }
    for (int round = 0; round < ROUNDS; round++) {
        pthread_create(&one, NULL, chooser, NULL);
        pthread_create(&other, NULL, reader, NULL);
        pthread_join(one, NULL);
        pthread_join(other, NULL);
    }
    assert(d >= 0);
    assert(d <= N);
    for (int x = 0; x < N; x++) {
        pthread_join(workers[x], NULL);
    }
    for (int x = 0; x < N; x++) {
        if (a[x]) {
            d = d + 1;
        }
    }
    assert(d == N);
    return 0;
}
