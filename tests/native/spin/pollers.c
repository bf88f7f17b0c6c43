/* Threads that poll under a mutex, each for its turn, and work under another one. */
#include "spin.h"

static pthread_mutex_t turns = PTHREAD_MUTEX_INITIALIZER, working = PTHREAD_MUTEX_INITIALIZER;
static int turn, work;

static void do_work(void) {
    pthread_mutex_lock(&working);
    work++;
    pthread_mutex_unlock(&working);
}

static void *body(void *argument) {
    pthread_mutex_lock(&turns);
    while (turn <= (long)argument) {
        pthread_mutex_unlock(&turns);
        pthread_mutex_lock(&turns);
    }
#ifdef CHAIN
    turn++;
#endif
    pthread_mutex_unlock(&turns);
    do_work();
    return argument;
}

int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++) {
        pthread_create(&threads[i], NULL, body, (void *)i);
    }
    do_work();
#ifdef CHAIN
    int most = 1;
#else
    int most = N;
#endif
    for (int i = 0; i < most; i++) {
        pthread_mutex_lock(&turns);
        turn++;
        pthread_mutex_unlock(&turns);
    }
    for (int i = 0; i < N; i++) {
        pthread_join(threads[i], NULL);
    }
    assert(work == N + 1);
    return 0;
}
