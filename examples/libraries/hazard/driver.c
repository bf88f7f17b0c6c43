/* Two threads pop what main has pushed; together they get all of it. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#include "stack.h"

static int sums[STACK_THREADS];

static void *take(void *number) {
    int self = *(int *)number, value;
    if (stack_pop(self, &value)) {
        sums[self] += value;
    }
    return NULL;
}

int main(void) {
    static int numbers[] = {0, 1};
    pthread_t threads[STACK_THREADS];
    stack_push(1);
    stack_push(2);
    for (int i = 0; i < STACK_THREADS; i++) {
        pthread_create(&threads[i], NULL, take, &numbers[i]);
    }
    for (int i = 0; i < STACK_THREADS; i++) {
        pthread_join(threads[i], NULL);
        stack_finish(i);
    }
    assert(sums[0] + sums[1] == 3);
    return 0;
}
