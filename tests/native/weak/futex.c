/* Futexes under weak memory models. WHAT 0: a mutex, of which LOCKS and UNLOCKS say the orders. 1:
 * an event with a count of those who wait for it, so that setting it calls the kernel only if there
 * are any; without FENCE both may miss each other. 2: the kernel orders what was stored before a
 * wake and what is loaded after it, but not for the race detector (PLAIN). */
#include <assert.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#define RELAXED memory_order_relaxed

static atomic_int word, waiting;
static int message;

static long futex(int operation, int value) {
    return syscall(SYS_futex, &word, operation | FUTEX_PRIVATE_FLAG, value, NULL, NULL, 0);
}

#if WHAT == 0
static void *body(void *unused) {
    int seen = 0;
    if (!atomic_compare_exchange_strong_explicit(&word, &seen, 1, LOCKS, RELAXED)) {
        while (atomic_exchange_explicit(&word, 2, LOCKS) != 0) {
            futex(FUTEX_WAIT, 2);
        }
    }
    message++;
    if (atomic_exchange_explicit(&word, 0, UNLOCKS) == 2) {
        futex(FUTEX_WAKE, 1);
    }
    return unused;
}
#elif WHAT == 1
static void *body(void *unused) {
    atomic_fetch_add_explicit(&waiting, 1, RELAXED);
    while (!atomic_load_explicit(&word, RELAXED)) {
        futex(FUTEX_WAIT, 0);
    }
    return unused;
}
static void other(void) {
    atomic_store_explicit(&word, 1, RELAXED);
#ifdef FENCE
    atomic_thread_fence(memory_order_seq_cst);
#endif
    if (atomic_load_explicit(&waiting, RELAXED)) {
        futex(FUTEX_WAKE, INT_MAX);
    }
}
#elif WHAT == 2
static atomic_int x;
static void *body(void *unused) {
    if (futex(FUTEX_WAIT, 0) == 0) {
#ifdef PLAIN
        assert(message == 1);
#endif
        assert(atomic_load_explicit(&x, RELAXED) == 1);
    }
    return unused;
}
static void other(void) {
    message = 1;
    atomic_store_explicit(&x, 1, RELAXED);
    atomic_store_explicit(&word, 1, RELAXED);
    futex(FUTEX_WAKE, 1);
}
#endif

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, body, NULL);
#if WHAT == 0
    body(NULL);
#else
    other();
#endif
    pthread_join(thread, NULL);
    assert(WHAT != 0 || message == 2);
    return 0;
}
