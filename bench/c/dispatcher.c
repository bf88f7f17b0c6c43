/* N servers; main hands out N requests, each to a server that a picker thread names. */
#include <pthread.h>
#include <stdint.h>

#ifndef N
#define N 2
#endif

static pthread_mutex_t server_locks[N], k;
static int in[N], out[N], sid;

static void *server(void *argument) {
    intptr_t s = (intptr_t)argument;
    pthread_mutex_lock(&server_locks[s]);
    if (in[s] > 0) {
        out[s] = in[s];
    }
    pthread_mutex_unlock(&server_locks[s]);
    return NULL;
}

static void *picker(void *unused) {
    (void)unused;
    for (int x = 0; x < N; x++) {
        pthread_mutex_lock(&k);
        sid = x;
        pthread_mutex_unlock(&k);
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    for (intptr_t i = 0; i < N; i++) {
        pthread_create(&thread, NULL, server, (void *)i);
    }
    for (int request = 0; request < N; request++) {
        pthread_create(&thread, NULL, picker, NULL);
        pthread_mutex_lock(&k);
        int s = sid;
        pthread_mutex_unlock(&k);
        pthread_mutex_lock(&server_locks[s]);
        in[s] = in[s] + 1;
        pthread_mutex_unlock(&server_locks[s]);
        pthread_join(thread, NULL);
    }
    return 0;
}
