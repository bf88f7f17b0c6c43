// A worker is stopped by a function that runs when the program ends.
// verified
// NOT_JOINED: use-after-free|data-race .
// LOCK_HELD: deadlock waits for
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_t thread;
static int stop, *log_lines;
static void *worker(void *unused) {
    pthread_mutex_lock(&lock);
    while (!stop) {
        pthread_cond_wait(&changed, &lock);
    }
    pthread_mutex_unlock(&lock);
    ++*log_lines;
    return unused;
}
static void shut_down(void) {
    pthread_mutex_lock(&lock);
    stop = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
#ifndef NOT_JOINED
    pthread_join(thread, NULL);
#endif
    free(log_lines);
}
int main(void) {
    log_lines = calloc(1, sizeof *log_lines);
    atexit(shut_down);
    pthread_create(&thread, NULL, worker, NULL);
#ifdef LOCK_HELD
    pthread_mutex_lock(&lock);
#endif
    exit(0);
}
