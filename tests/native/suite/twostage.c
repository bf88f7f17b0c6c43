/* twostage: a value is set under one lock and its successor under another; a reader may find the
 * first without the second (BUG, as in the suite) unless it takes that for what it is.
 * expect: executions 3 errors none
 * expect -DBUG: errors assertion */
#include "suite.h"

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static int one, two;

static void *set(void *unused) {
    pthread_mutex_lock(&first);
    one = 1;
    pthread_mutex_unlock(&first);
    pthread_mutex_lock(&second);
    two = one + 1;
    pthread_mutex_unlock(&second);
    return unused;
}

static void *get(void *unused) {
    pthread_mutex_lock(&first);
    int found = one;
    pthread_mutex_unlock(&first);
    if (!found) {
        return unused;
    }
    pthread_mutex_lock(&second);
    int next = two;
    pthread_mutex_unlock(&second);
#ifdef BUG
    if (next != found + 1) {
#else
    if (next != 0 && next != found + 1) {
#endif
        reach_error();
    }
    return unused;
}

int main(void) {
    pthread_t setter, getter;
    pthread_create(&setter, NULL, set, NULL);
    pthread_create(&getter, NULL, get, NULL);
    pthread_join(setter, NULL);
    pthread_join(getter, NULL);
    return 0;
}
