#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#include "counter.h"

static counter *shared;

static void *add(void *none) {
    counter_add(shared, 2);
    return none;
}

int main(void) {
    pthread_t other;
    shared = counter_create();
    pthread_create(&other, NULL, add, NULL);
    int seen = counter_value(shared);
    assert(seen == 0 || seen == 2);
    pthread_join(other, NULL);
    printf("%d\n", counter_value(shared));
    counter_destroy(shared);
}
