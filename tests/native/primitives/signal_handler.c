// A handler only sets a flag; what needs a lock is done by whoever sees the flag.
// verified
// LOCKS: deadlock waits for lock, held by itself
// RESET: crash|abort .
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile sig_atomic_t came;
static int count;
static void handler(int number) {
    came = number;
#ifdef LOCKS
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
#endif
}
static void *other(void *unused) {
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
    return unused;
}
int main(void) {
    pthread_t thread;
    struct sigaction action = {.sa_handler = handler};
#ifdef RESET
    action.sa_flags = SA_RESETHAND;
#endif
    sigaction(SIGABRT, &action, NULL);
    pthread_create(&thread, NULL, other, NULL);
    pthread_mutex_lock(&lock);
    raise(SIGABRT);
#ifdef RESET
    raise(SIGABRT);
#endif
    count += came == SIGABRT;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    assert(count == 2);
    return 0;
}
