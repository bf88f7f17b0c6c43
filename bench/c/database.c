/* DBP(N): a database serves one client at a time; N workers register with it and then ask for data,
 * one step each (CAV 2017, ISSTA 2019; reconstructed, see programs/DBP.heddle). (N!)^2 traces;
 * observers 3: 33, 4: 460; context-source 3: 24, 4: 266. */
#include <heddle.h>
#include <pthread.h>
#include <stdint.h>

#ifndef N
#define N 3
#endif

static int client, got[N + 1];

static void *worker(void *argument) {
    int i = (int)(intptr_t)argument;
    heddle_atomic_begin();
    client = i;
    heddle_atomic_end();
    heddle_atomic_begin();
    if (client == i) {
        got[i] = 1;
    }
    heddle_atomic_end();
    return NULL;
}

int main(void) {
    pthread_t thread;
    for (intptr_t i = 1; i <= N; i++) {
        pthread_create(&thread, NULL, worker, (void *)i);
    }
    return 0;
}
