// An initialisation that needs a lock must not be waited for with the lock held.
// verified
// LOCK_HELD: deadlock waits .*
// JUMPS_OUT: deadlock waits for the end of the initialisation
#include <pthread.h>
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int made;
static void make(void) {
    pthread_mutex_lock(&lock);
    made++;
    pthread_mutex_unlock(&lock);
#ifdef JUMPS_OUT
    pthread_once(&once, make);
#endif
}
static void *starter(void *unused) {
    pthread_once(&once, make);
    return unused;
}
static void *user(void *unused) {
#ifdef LOCK_HELD
    pthread_mutex_lock(&lock);
    pthread_once(&once, make);
#else
    pthread_once(&once, make);
    pthread_mutex_lock(&lock);
#endif
    made++;
    pthread_mutex_unlock(&lock);
    return unused;
}
int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, starter, NULL);
    pthread_create(&threads[1], NULL, user, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return made != 2;
}
