/* Thread-local variables are each thread's own: no conflicts but the one on x: 2.
 * expect: executions 2 errors none */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Thread_local int mine = 5;
static _Thread_local struct { int a[4]; } zeroes;
static atomic_int x;

static void *worker(void *argument) {
    assert(mine == 5 && zeroes.a[3] == 0);
    mine += (int)(long)argument;
    zeroes.a[3] = mine;
    x = mine;
    assert(mine == 5 + (int)(long)argument && zeroes.a[3] == mine);
    return NULL;
}

int main(void) {
    pthread_t thread;
    mine = 9;
    pthread_create(&thread, NULL, worker, (void *)1);
    pthread_create(&thread, NULL, worker, (void *)2);
    assert(mine == 9);
    return 0;
}
