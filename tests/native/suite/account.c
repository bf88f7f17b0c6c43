/* account: a deposit and a withdrawal, then the balance is what it should be: 2 orders. With BUG a
 * withdrawal reads the balance in another critical section than it writes it.
 * expect: errors none executions 2
 * expect -DBUG: errors assertion */
#include "suite.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int balance = 10;

static void *deposit(void *unused) {
    pthread_mutex_lock(&mutex);
    balance += 5;
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *withdraw(void *unused) {
    pthread_mutex_lock(&mutex);
    int seen = balance;
#ifdef BUG
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
#endif
    balance = seen - 3;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, deposit, NULL);
    pthread_create(&other, NULL, withdraw, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    if (balance != 12) {
        reach_error();
    }
    return 0;
}
