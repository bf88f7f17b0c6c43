/* Two producers push a number each; the consumer looks twice. What it gets was pushed, and what is
 * left comes afterwards. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#include "ring.h"

static ring numbers;

static void *produce(void *value) {
    assert(ring_push(&numbers, *(int *)value));
    return NULL;
}

int main(void) {
    static int values[] = {1, 2};
    pthread_t threads[2];
    int sum = 0, value;
    ring_init(&numbers);
    for (int i = 0; i < 2; i++) {
        pthread_create(&threads[i], NULL, produce, &values[i]);
    }
    for (int i = 0; i < 2; i++) {
        sum += ring_pop(&numbers, &value) ? value : 0;
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
    }
    while (ring_pop(&numbers, &value)) {
        sum += value;
    }
    assert(sum == 3);
    return 0;
}
