/* A queue under one lock: elements come out in the order in which they went in. With BUG (as in the
 * suite) the receiver looks whether there is one before it locks.
 * expect: executions 20 errors none
 * expect -DBUG: errors data-race */
#include "suite.h"

enum { SIZE = 3 };
static int elements[SIZE], head, tail, amount;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *sender(void *unused) {
    for (int i = 0; i < SIZE; i++) {
        pthread_mutex_lock(&mutex);
        elements[tail++] = i;
        amount++;
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

static void *receiver(void *unused) {
    for (int i = 0; i < SIZE; i++) {
#ifdef BUG
        int there = amount;
        pthread_mutex_lock(&mutex);
#else
        pthread_mutex_lock(&mutex);
        int there = amount;
#endif
        if (there) {
            amount--;
            int element = elements[head];
            if (element != head++) {
                reach_error();
            }
        }
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, sender, NULL);
    pthread_create(&other, NULL, receiver, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
