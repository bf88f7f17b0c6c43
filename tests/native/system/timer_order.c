/* Of several timers that threads wait for, the one that expires first does so first, whoever waits
 * for it, and whenever it was armed. */
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <unistd.h>

static int far, near;
static atomic_int fired;

static void wait_for(int timer) {
    uint64_t times;
#ifdef POLLS
    struct pollfd file = {.fd = timer, .events = POLLIN};
    assert(poll(&file, 1, -1) == 1);
#endif
    assert(read(timer, &times, sizeof times) == sizeof times && times == 1);
}

static void *be_late(void *unused) {
    wait_for(far);
    assert(fired == 1);
    return unused;
}

static void *be_early(void *unused) {
    wait_for(near);
    fired = 1;
    return unused;
}

static void arm(int timer, int seconds) {
    struct itimerspec setting = {.it_value.tv_sec = seconds};
    assert(timerfd_settime(timer, 0, &setting, NULL) == 0);
}

int main(void) {
    pthread_t late, early;
    far = timerfd_create(CLOCK_MONOTONIC, 0);
    near = timerfd_create(CLOCK_MONOTONIC, 0);
    arm(far, 5);
    pthread_create(&late, NULL, be_late, NULL);
    pthread_create(&early, NULL, be_early, NULL);
#ifdef NEVER
    (void)arm;
#else
    arm(near, 1);
#endif
    pthread_join(late, NULL);
    pthread_join(early, NULL);
    return 0;
}
