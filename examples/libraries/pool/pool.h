/* A pool of threads that run tasks in the order of their submission. */
#ifndef POOL_H
#define POOL_H

typedef struct pool pool;

pool *pool_create(int threads, int capacity);

/* 0, or -1 if the queue is full. */
int pool_submit(pool *, void (*task)(void *), void *argument);

/* Waits until all tasks are done. */
void pool_destroy(pool *);

#endif
