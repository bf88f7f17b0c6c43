/* reorder: a setter writes two variables in turn, a checker must not see one without the other.
 * With the lock, 2 orders. BUG: without it (as in the suite).
 * expect: executions 2 errors none
 * expect -DBUG: executions 4 errors assertion */
#include "suite.h"

static atomic_int a, b;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

#ifdef BUG
#define pthread_mutex_lock(mutex)   (void)(mutex)
#define pthread_mutex_unlock(mutex) (void)(mutex)
#endif

static void *set(void *unused) {
    pthread_mutex_lock(&mutex);
    a = 1;
    b = -1;
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *check(void *unused) {
    pthread_mutex_lock(&mutex);
    int one = a, other = b;
    pthread_mutex_unlock(&mutex);
    if (!((one == 0 && other == 0) || (one == 1 && other == -1))) {
        reach_error();
    }
    return unused;
}

int main(void) {
    pthread_t setter, checker;
    pthread_create(&setter, NULL, set, NULL);
    pthread_create(&checker, NULL, check, NULL);
    pthread_join(setter, NULL);
    pthread_join(checker, NULL);
    return 0;
}
