/* Timers that call a function in a thread of its own. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ticks, plain;

static void tick(union sigval value) {
#ifdef RACE
    plain++;
#endif
    pthread_mutex_lock(&mutex);
    ticks += value.sival_int;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
}

static void wait_for(int wanted) {
    pthread_mutex_lock(&mutex);
    while (ticks < wanted) {
        pthread_cond_wait(&changed, &mutex);
    }
    pthread_mutex_unlock(&mutex);
}

static timer_t start(int seconds, int interval, int notify) {
    struct sigevent event = {.sigev_notify = notify,
                             .sigev_signo = SIGUSR1,
                             .sigev_notify_function = tick,
                             .sigev_value.sival_int = 1};
    struct itimerspec setting = {.it_value.tv_sec = seconds, .it_interval.tv_sec = interval};
    timer_t timer;
    assert(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
    assert(timer_settime(timer, 0, &setting, NULL) == 0);
    return timer;
}

/* More of them than there can be at a time; the last is not deleted. */
static void without_notice(void) {
    struct itimerspec left;
    for (int i = 0; i < 20; i++) {
        timer_t timer = start(5, 0, SIGEV_NONE);
        assert(timer_gettime(timer, &left) == 0 && left.it_value.tv_sec >= 4);
        assert(timer_delete(timer) == 0);
        assert(timer_delete(timer) == -1 && errno == EINVAL);
    }
    timer_t timer = start(5, 0, SIGEV_NONE);
    sleep(6);
    assert(timer_gettime(timer, &left) == 0 && !left.it_value.tv_sec && !left.it_value.tv_nsec);
}

int main(void) {
#ifdef SIGNAL
    start(1, 0, SIGEV_SIGNAL);
#elif defined PROCESSOR
    struct sigevent none = {.sigev_notify = SIGEV_NONE};
    timer_t other;
    timer_create(CLOCK_PROCESS_CPUTIME_ID, &none, &other);
#endif
    without_notice();
    struct itimerspec left;
    timer_t timer = start(5, PERIOD, SIGEV_THREAD);
    assert(timer_gettime(timer, &left) == 0 && left.it_value.tv_sec <= 5);
    plain++;
    wait_for(PERIOD ? 2 : 1);
#ifdef TWICE
    wait_for(2);
#endif
    assert(timer_getoverrun(timer) == 0);
    assert(timer_delete(timer) == 0);
    return 0;
}
