/* Two threads add each other's sum. The greatest is Fibonacci's number 2 N; with BUG it is asserted
 * to be less.
 * expect -DN=3: executions 20 errors none
 * expect -DN=3 -DBUG: errors assertion */
#include "suite.h"

static int i = 1, j = 1;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static const int most[] = {1, 3, 8, 21, 55};

static void *first(void *unused) {
    for (int k = 0; k < N; k++) {
        pthread_mutex_lock(&mutex);
        i += j;
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

static void *second(void *unused) {
    for (int k = 0; k < N; k++) {
        pthread_mutex_lock(&mutex);
        j += i;
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, first, NULL);
    pthread_create(&other, NULL, second, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
#ifdef BUG
    if (i >= most[N] || j >= most[N]) {
#else
    if (i > most[N] || j > most[N]) {
#endif
        reach_error();
    }
    return 0;
}
