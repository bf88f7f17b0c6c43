/* A thread that takes the signals which all block, as POSIX recommends, and its relatives. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static pthread_t main_thread, thread;
static int count, data;
static volatile sig_atomic_t handled;
static sigset_t set;

static void handle(int number) {
    handled = number;
}

/* Takes signals until it is asked to end: a step for each. */
static void *take_signals(void *unused) {
    int number;
    do {
        assert(sigwait(&set, &number) == 0);
        count += number == SIGUSR1;
    } while (number != SIGTERM);
    assert(!data || data == 1);
    return unused;
}

static void *take_one(void *unused) {
    siginfo_t info;
    assert(sigwaitinfo(&set, &info) == info.si_signo);
    count += info.si_signo;
    return unused;
}

static void *send_to_main(void *unused) {
    assert(pthread_kill(main_thread, SIGUSR1) == 0);
    return unused;
}

static void *kill_process(void *unused) {
    assert(kill(getpid(), SIGUSR1) == 0);
    return unused;
}

static void *kill_thread(void *unused) {
    pthread_kill(thread, SIGUSR1);
    return unused;
}

static void *send_later(void *unused) {
    data = 1;
    assert(pthread_kill(thread, SIGTERM) == 0);
    return unused;
}

static void *return_at_once(void *unused) {
    return unused;
}

static void block(void) {
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGTERM);
    assert(pthread_sigmask(SIG_BLOCK, &set, NULL) == 0);
}

static void start(void *(*function)(void *)) {
    assert(pthread_create(&thread, NULL, function, NULL) == 0);
}

static void join(void) {
    assert(pthread_join(thread, NULL) == 0);
}

int main(void) {
    pthread_t other;
    sigset_t pending;
    struct timespec second = {.tv_sec = 1}, none = {0};
    main_thread = pthread_self();
#if defined OPEN || defined UNHANDLED || defined UNNOTICED
#ifdef OPEN /* it may be the other thread that is interrupted, anywhere */
    signal(SIGUSR1, handle);
#elif defined UNNOTICED
    signal(SIGUSR1, SIG_IGN);
#endif
    start(return_at_once);
    pthread_kill(thread, SIGUSR1);
    join();
#endif
    block();
#if defined RIGHT || defined MERGED
    start(take_signals);
    pthread_kill(thread, SIGUSR1);
#ifdef MERGED /* a signal that is pending is not pending twice */
    pthread_kill(thread, SIGUSR1);
    pthread_kill(thread, SIGTERM);
    join();
    assert(count == 2);
#else
    pthread_kill(thread, SIGTERM);
    join();
    assert(count == 1);
#endif
#elif defined NOBODY
    start(take_signals);
    join();
#elif defined HANDED || defined UNORDERED /* what comes before the signal comes before the wait */
    start(take_signals);
    assert(pthread_create(&other, NULL, send_later, NULL) == 0);
#ifdef UNORDERED
    pthread_kill(thread, SIGTERM);
#endif
    join();
    pthread_join(other, NULL);
#elif defined PROCESS /* one of the two takes it */
    start(take_one);
    assert(pthread_create(&other, NULL, take_one, NULL) == 0);
    kill(getpid(), SIGTERM);
    kill(getpid(), SIGUSR1);
    join();
    pthread_join(other, NULL);
#elif defined SUSPEND
    signal(SIGUSR1, handle);
    start(send_to_main);
    pending = set;
    sigdelset(&pending, SIGUSR1);
    while (!handled) {
        assert(sigsuspend(&pending) == -1 && errno == EINTR);
    }
    join();
    assert(pthread_sigmask(SIG_BLOCK, NULL, &pending) == 0 && sigismember(&pending, SIGUSR1));
#elif defined PAUSE || defined PAUSED
    signal(SIGUSR1, handle);
    raise(SIGUSR1);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
#ifdef PAUSED /* nothing comes after it has been handled */
    pause();
#endif
    assert(handled == SIGUSR1);
#elif defined NUMBERED
    start(take_one);
    assert(tgkill(getpid(), getpid() + 1, SIGUSR1) == 0);
    assert(tgkill(getpid(), getpid() + 9, SIGUSR1) == -1 && errno == ESRCH);
    join();
    assert(count == SIGUSR1);
#elif defined UNBLOCK || defined LATE
    signal(SIGUSR1, handle);
    start(send_to_main);
#ifdef UNBLOCK
    join();
#endif
    assert(!handled);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    assert(handled == SIGUSR1); /* LATE: not sent yet, and then not blocked */
#ifdef LATE
    join();
#endif
#elif defined TIMED
    start(send_to_main);
    assert(sigtimedwait(&set, NULL, &second) == SIGUSR1);
    assert(sigtimedwait(&set, NULL, &second) == -1 && errno == EAGAIN);
    join();
#elif defined LOOK
    start(send_to_main);
    int first = sigtimedwait(&set, NULL, &none);
    join();
    assert(first == SIGUSR1 || sigtimedwait(&set, NULL, &none) == SIGUSR1);
#elif defined POLL
    start(kill_process);
    do {
        sigpending(&pending);
    } while (!sigismember(&pending, SIGUSR1));
    assert(sigtimedwait(&set, NULL, &none) == SIGUSR1);
    join();
#elif defined IGNORED
    raise(SIGUSR1);
    signal(SIGUSR1, SIG_IGN);
    sigpending(&pending);
    assert(!sigismember(&pending, SIGUSR1));
#elif defined ENDED
    start(return_at_once);
    assert(pthread_kill(thread, SIGUSR1) == 0);
    join();
#elif defined JOINED
    start(return_at_once);
    assert(pthread_create(&other, NULL, kill_thread, NULL) == 0);
    join();
    pthread_join(other, NULL);
#endif
    return 0;
}
