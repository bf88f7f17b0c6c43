// unsupported pthread_kill: a signal to another thread calls its handler anywhere
#include <pthread.h>
#include <signal.h>

static void handle(int number) {
    (void)number;
}

static void *worker(void *unused) {
    return unused;
}

int main(void) {
    pthread_t t;
    signal(SIGUSR1, handle);
    pthread_create(&t, NULL, worker, NULL);
    pthread_kill(t, SIGUSR1);
    pthread_join(t, NULL);
    return 0;
}
