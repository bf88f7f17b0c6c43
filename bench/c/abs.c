/* abs(N): one thread writes 1 to x, another -1, N times each; main joins them and asserts what both
 * satisfy (ISSTA 2019; reconstructed, see programs/abs.heddle). (2N)!/(N!)^2 traces, observers 2.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#ifndef N
#define N 2
#endif

static atomic_int x;

static void *writer(void *argument) {
    for (int i = 0; i < N; i++) {
        x = (int)(intptr_t)argument;
    }
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, writer, (void *)1);
    pthread_create(&threads[1], NULL, writer, (void *)-1);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    assert(abs(x) == 1);
    return 0;
}
