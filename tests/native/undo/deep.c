/* Stacks that are deep for a while: pages that were used in a step that is undone are released
 * after some time, and come back with the next deep call. What such a call leaves there is read by
 * a shallower one, so that nothing may be lost. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 3
#endif

enum { DEEP = 6000 };

static atomic_int x;

static int leave(int value) {
    volatile unsigned char bytes[DEEP];
    for (int i = 0; i < DEEP; i += 512) {
        bytes[i] = (unsigned char)value;
    }
    return bytes[512];
}

static int take(void) {
    volatile unsigned char room[DEEP];
    int sum = 0;
    room[0] = 0;
    for (int i = 0; i < DEEP; i += 512) {
        room[i] = (unsigned char)(i / 512);
        sum += room[i];
    }
    return sum;
}

static void *run(void *argument) {
    int number = (int)(intptr_t)argument;
    atomic_fetch_add(&x, 1);
    if (number % 2) {
        assert(leave(number) == number);
    }
    int seen = atomic_load(&x);
    assert(seen >= 1 && seen <= N);
    if (seen == N) {
        assert(take() == 66);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (intptr_t i = 0; i < N; i++) {
        pthread_create(&threads[i], NULL, run, (void *)(i + 1));
    }
    for (int i = 0; i < N; i++) {
        pthread_join(threads[i], NULL);
    }
    assert(x == N);
    return 0;
}
