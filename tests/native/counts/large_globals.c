/* Twelve megabytes of globals, of which the threads write a little: resets must stay cheap. The
 * four additions are ordered (4!), and so are the four writes to `table` (4!); nothing else
 * conflicts: 576.
 *
 * expect --no-race: executions 576 errors none
 * expect: errors data-race */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static char big[8 << 20];
static long table[1 << 19] = {1, 2, 3};
static atomic_int x;

static void *worker(void *argument) {
    x++;
    assert(big[(long)argument << 20] == 0);
    big[(long)argument << 20] = 1;
    table[5] = 7;
    return NULL;
}

int main(void) {
    pthread_t thread;
    for (long i = 0; i < 4; i++) {
        pthread_create(&thread, NULL, worker, (void *)i);
    }
    return 0;
}
