/* A mutex on a futex: 0 free, 1 locked, 2 locked with waiters. LOST: the unlock forgets to wake.
 * EARLY: a waiter takes its being woken for the lock. */
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;
static int counter;

static void lock(void) {
    int seen = 0;
    if (atomic_compare_exchange_strong(&word, &seen, 1)) {
        return;
    }
    while (atomic_exchange(&word, 2) != 0) {
        syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
#ifdef EARLY
        return;
#endif
    }
}

static void unlock(void) {
#ifdef LOST
    atomic_store(&word, 0);
#else
    if (atomic_exchange(&word, 0) == 2) {
        syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    }
#endif
}

static void *work(void *unused) {
    lock();
    counter++;
    unlock();
    return unused;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        pthread_create(&threads[i], NULL, work, NULL);
    }
    work(NULL);
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
    }
    assert(counter == 3);
    return 0;
}
