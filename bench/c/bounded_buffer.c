/* BB(N): a bounded buffer, first in, first out; a producer that puts N times and a consumer that
 * gets N times, one step each (CAV 2017, ISSTA 2019; reconstructed, see programs/BB.heddle).
 * (2N)!/(N!)^2 traces; context-sensitive 3: 11, 5: 79. */
#include <assert.h>
#include <heddle.h>
#include <pthread.h>

#ifndef N
#define N 3
#endif

enum { CAPACITY = (N + 1) / 2 };

static int buffer[CAPACITY], first, count, got[N];

static void put(int value) {
    heddle_atomic_begin();
    if (count < CAPACITY) {
        buffer[(first + count) % CAPACITY] = value;
        count++;
    }
    heddle_atomic_end();
}

static void get(int *value) {
    heddle_atomic_begin();
    if (count > 0) {
        *value = buffer[first];
        first = (first + 1) % CAPACITY;
        count--;
    }
    heddle_atomic_end();
}

static void *producer(void *unused) {
    for (int i = 1; i <= N; i++) {
        put(i);
    }
    return unused;
}

static void *consumer(void *unused) {
    for (int i = 0; i < N; i++) {
        get(&got[i]);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, producer, NULL);
    pthread_create(&thread, NULL, consumer, NULL);
    return 0;
}
