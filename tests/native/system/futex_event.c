/* An event that is set once; all who wait for it continue. ONE: only one waiter is woken.
 * UNCHECKED: the value is not compared in the kernel, because the caller reads it again. */
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_int event;
static int message;

static long futex(int operation, int value, const struct timespec *time) {
    return syscall(SYS_futex, &event, operation | FUTEX_PRIVATE_FLAG, value, time, NULL,
                   FUTEX_BITSET_MATCH_ANY);
}

static void *wait_for_event(void *unused) {
    while (!atomic_load(&event)) {
#ifdef UNCHECKED
        futex(FUTEX_WAIT, atomic_load(&event), NULL);
#elif defined TIMED
        struct timespec second = {.tv_sec = 1};
        long result = futex(FUTEX_WAIT, 0, &second);
        assert(result == 0 || errno == EAGAIN || errno == ETIMEDOUT);
#else
        futex(FUTEX_WAIT_BITSET, 0, NULL);
#endif
    }
    assert(message == 42);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        pthread_create(&threads[i], NULL, wait_for_event, NULL);
    }
#ifdef PLAIN
    atomic_store(&event, 1);
    message = 42;
#else
    message = 42;
    atomic_store(&event, 1);
#endif
#ifdef ONE
    futex(FUTEX_WAKE, 1, NULL);
#else
    futex(FUTEX_WAKE_BITSET, INT_MAX, NULL);
#endif
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
    }
    return 0;
}
