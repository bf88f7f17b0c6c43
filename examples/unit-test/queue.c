#include "queue.h"

void queue_open(queue *q) {
    pthread_mutex_init(&q->mutex, NULL);
    pthread_cond_init(&q->changed, NULL);
    q->first = q->count = 0;
}

void queue_close(queue *q) {
    pthread_cond_destroy(&q->changed);
    pthread_mutex_destroy(&q->mutex);
}

void queue_put(queue *q, int item) {
    pthread_mutex_lock(&q->mutex);
    while (q->count == QUEUE_SIZE) {
        pthread_cond_wait(&q->changed, &q->mutex);
    }
    q->items[(q->first + q->count) % QUEUE_SIZE] = item;
    q->count++;
    pthread_cond_broadcast(&q->changed);
    pthread_mutex_unlock(&q->mutex);
}

int queue_take(queue *q) {
    pthread_mutex_lock(&q->mutex);
#ifdef FIXED
    while (q->count == 0) {
#else
    if (q->count == 0) { /* somebody else may take the item before this thread runs again */
#endif
        pthread_cond_wait(&q->changed, &q->mutex);
    }
    int item = q->items[q->first];
    q->first = (q->first + 1) % QUEUE_SIZE;
    q->count--;
    pthread_cond_broadcast(&q->changed);
    pthread_mutex_unlock(&q->mutex);
    return item;
}
