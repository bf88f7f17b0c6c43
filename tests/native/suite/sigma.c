/* Every thread counts its element of an array, whose index the creator counts on. The index is
 * shared: with BUG (as in the suite) it may have moved on before the thread looks.
 * expect: executions 1 errors none
 * expect -DBUG: errors assertion */
#include <stdlib.h>

#include "suite.h"

enum { SIZE = 3 };
static atomic_int *array;
static atomic_int array_index;

static void *worker(void *argument) {
#ifdef BUG
    array[array_index] = 1;
#else
    array[(long)argument] = 1;
#endif
    return argument;
}

int main(void) {
    pthread_t threads[SIZE];
    int sum = 0;
    array = calloc(SIZE + 1, sizeof *array);
    for (long i = 0; i < SIZE; i++) {
        pthread_create(&threads[i], NULL, worker, (void *)i);
        array_index++;
    }
    for (int i = 0; i < SIZE; i++) {
        pthread_join(threads[i], NULL);
    }
    for (int i = 0; i < SIZE; i++) {
        sum += array[i];
    }
    if (sum != SIZE) {
        reach_error();
    }
    free(array);
    return 0;
}
