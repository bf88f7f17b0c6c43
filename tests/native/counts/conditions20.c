/* Twenty threads in ten pairs, each with a mutex and a condition: one waits until the other has
 * set a flag. In each pair the waiter waits or comes too late to: 2^10.
 * expect: executions 1024 errors none */
#include <pthread.h>
#include <stdbool.h>

enum { PAIRS = 10 };

static struct {
    pthread_mutex_t mutex;
    pthread_cond_t condition;
    bool flag;
} pairs[PAIRS];

static void *waiter(void *argument) {
    long i = (long)argument;
    pthread_mutex_lock(&pairs[i].mutex);
    while (!pairs[i].flag) {
        pthread_cond_wait(&pairs[i].condition, &pairs[i].mutex);
    }
    pthread_mutex_unlock(&pairs[i].mutex);
    return NULL;
}

static void *signaller(void *argument) {
    long i = (long)argument;
    pthread_mutex_lock(&pairs[i].mutex);
    pairs[i].flag = true;
    pthread_cond_signal(&pairs[i].condition);
    pthread_mutex_unlock(&pairs[i].mutex);
    return NULL;
}

int main(void) {
    pthread_t threads[2 * PAIRS];
    for (long i = 0; i < PAIRS; i++) {
        pthread_create(&threads[2 * i], NULL, waiter, (void *)i);
        pthread_create(&threads[2 * i + 1], NULL, signaller, (void *)i);
    }
    for (int i = 0; i < 2 * PAIRS; i++) {
        pthread_join(threads[i], NULL);
    }
    return 0;
}
