// A lock with three states: free, held, held while others wait.
// verified
// TWO_STATES: deadlock waits for a wake
// WAKE_LOST: deadlock waits for a wake
// PLAIN_STORE: data-race .
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>
static _Atomic int word;
static int count;
static void futex(int operation, int value) {
    syscall(SYS_futex, &word, operation, value, NULL, NULL, 0);
}
static void lock(void) {
    int seen = 0;
    if (atomic_compare_exchange_strong(&word, &seen, 1)) {
        return;
    }
#ifdef TWO_STATES
    do {
        futex(FUTEX_WAIT, 1);
        seen = 0;
    } while (!atomic_compare_exchange_strong(&word, &seen, 1));
#else
    if (seen != 2) {
        seen = atomic_exchange(&word, 2);
    }
    while (seen != 0) {
        futex(FUTEX_WAIT, 2);
#ifdef WAKE_LOST
        seen = 0;
        if (atomic_compare_exchange_strong(&word, &seen, 1)) {
            break;
        }
#else
        seen = atomic_exchange(&word, 2);
#endif
    }
#endif
}
static void unlock(void) {
#ifdef PLAIN_STORE
    *(int *)&word = 0;
#else
    if (atomic_exchange(&word, 0) == 2) {
        futex(FUTEX_WAKE, 1);
    }
#endif
}
static void *work(void *unused) {
    lock();
    count++;
    unlock();
    return unused;
}
int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, work, NULL);
    pthread_create(&threads[1], NULL, work, NULL);
    work(NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return count != 3;
}
