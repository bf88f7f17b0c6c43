#include "counter.h"

#include <pthread.h>
#include <stdlib.h>

struct counter {
    pthread_mutex_t mutex;
    int value;
};

counter *counter_create(void) {
    counter *c = calloc(1, sizeof *c);
    pthread_mutex_init(&c->mutex, NULL);
    return c;
}

void counter_add(counter *c, int amount) {
    pthread_mutex_lock(&c->mutex);
    c->value += amount;
    pthread_mutex_unlock(&c->mutex);
}

int counter_value(counter *c) {
#ifdef WRONG
    return c->value;
#else
    pthread_mutex_lock(&c->mutex);
    int value = c->value;
    pthread_mutex_unlock(&c->mutex);
    return value;
#endif
}

void counter_destroy(counter *c) {
    pthread_mutex_destroy(&c->mutex);
    free(c);
}
