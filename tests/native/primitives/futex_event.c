// An event that is set once: waiters compare the word again, and all of them are woken.
// verified
// WAKE_ONE: deadlock waits for a wake
// NO_COMPARE: deadlock waits for a wake
// DATA_AFTER_SET: data-race data
#define _GNU_SOURCE
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>
static _Atomic int word;
static int data;
static void wait_until_set(void) {
#ifdef NO_COMPARE
    if (word == 0) {
        syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, word, NULL, NULL, 0);
    }
#else
    while (word == 0) {
        syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
    }
#endif
}
static void set(void) {
#ifdef DATA_AFTER_SET
    word = 1;
    data = 7;
#else
    data = 7;
    word = 1;
#endif
#ifdef WAKE_ONE
    syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
#else
    syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
#endif
}
static void *waiter(void *unused) {
    wait_until_set();
    return data == 7 ? unused : &data;
}
int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, waiter, NULL);
    pthread_create(&threads[1], NULL, waiter, NULL);
    set();
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
