/* An alarm that ends the program if it hangs. HANGS: it does. HANDLED, LATER, AWAITED: the program
 * wants to notice it. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void handle(int number) {
    (void)number;
}

static void *lock(void *unused) {
    pthread_mutex_lock(&mutex);
#ifndef HANGS
    pthread_mutex_unlock(&mutex);
#endif
    return unused;
}

int main(void) {
    pthread_t thread;
    struct itimerval none = {0}, left;
#ifdef HANDLED
    signal(SIGALRM, handle);
#endif
    assert(alarm(10) == 0 && alarm(5) == 10);
#ifdef LATER
    signal(SIGALRM, handle);
#elif defined AWAITED
    sigset_t set;
    int number;
    sigemptyset(&set);
    sigaddset(&set, SIGALRM);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    sigwait(&set, &number);
#endif
    pthread_create(&thread, NULL, lock, NULL);
    lock(NULL);
    pthread_join(thread, NULL);
    assert(setitimer(ITIMER_REAL, &none, &left) == 0 && left.it_value.tv_sec == 5);
    assert(alarm(0) == 0);
    (void)handle;
    return 0;
}
