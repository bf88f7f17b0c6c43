/* A local of main that two threads add to, atomically, after main has written it: 2 orders, and
 * main's read comes after the joins.
 * expect: executions 2 errors none */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static void *worker(void *argument) {
    atomic_fetch_add((atomic_int *)argument, 1);
    return NULL;
}

int main(void) {
    atomic_int local = 40;
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, worker, &local);
    pthread_create(&threads[1], NULL, worker, &local);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    assert(local == 42);
    return 0;
}
