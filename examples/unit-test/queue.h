/* A queue of bounded size for several threads. */
#ifndef QUEUE_H
#define QUEUE_H

#include <pthread.h>

enum { QUEUE_SIZE = 2 };

typedef struct queue {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    int items[QUEUE_SIZE];
    int first, count;
} queue;

void queue_open(queue *);
void queue_close(queue *);

/* Waits while the queue is full, or empty. */
void queue_put(queue *, int item);
int queue_take(queue *);

#endif
