// verified: handlers and masks are set, and a thread may send itself a signal
// options: -D_GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t caught;
static _Atomic int x;

static void handler(int number) {
    caught += number == SIGUSR1;
}

static void *worker(void *unused) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    assert(pthread_sigmask(SIG_BLOCK, &set, NULL) == 0);
    pthread_sigmask(SIG_SETMASK, NULL, &set);
    assert(sigismember(&set, SIGINT) && sigismember(&set, SIGTERM) && !sigismember(&set, SIGHUP));
    x++;
    return unused;
}

int main(void) {
    pthread_t t;
    sigset_t set;
    struct sigaction action = {.sa_handler = handler}, old;
    assert(sigaction(SIGUSR1, &action, &old) == 0 && old.sa_handler == SIG_DFL);
    assert(signal(SIGPIPE, SIG_IGN) == SIG_DFL);
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigprocmask(SIG_BLOCK, &set, NULL);
    pthread_create(&t, NULL, worker, NULL);
    x++;
    raise(SIGUSR1);
    kill(getpid(), SIGUSR1);
    raise(SIGPIPE);
    assert(caught == 2);
    pthread_join(t, NULL);
    return 0;
}
