// unsupported pthread_kill: a signal to another thread arrives anywhere
#include <pthread.h>
#include <signal.h>

static void *worker(void *unused) {
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_kill(t, SIGUSR1);
    pthread_join(t, NULL);
    return 0;
}
