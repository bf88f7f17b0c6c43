/* stateful01: two counters, each with a lock, which two threads change: 2 orders of each lock. With
 * BUG (as in the suite) the result that every order gives is the wrong one.
 * expect: executions 4 errors none
 * expect -DBUG: executions 4 errors assertion */
#include "suite.h"

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static int one = 10, two = 10;

static void *adds(void *unused) {
    pthread_mutex_lock(&first);
    one++;
    pthread_mutex_unlock(&first);
    pthread_mutex_lock(&second);
    two++;
    pthread_mutex_unlock(&second);
    return unused;
}

static void *adds_more(void *unused) {
    pthread_mutex_lock(&first);
    one += 5;
    pthread_mutex_unlock(&first);
    pthread_mutex_lock(&second);
    two -= 6;
    pthread_mutex_unlock(&second);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, adds, NULL);
    pthread_create(&b, NULL, adds_more, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
#ifdef BUG
    if (one == 16 && two == 5) {
#else
    if (one != 16 || two != 5) {
#endif
        reach_error();
    }
    return 0;
}
