/* N threads write x; one reads it without waiting, and returns what it has seen. (N + 1)! traces.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 3
#endif

static atomic_int x;

static void *writer(void *argument) {
    x = (int)(intptr_t)argument;
    return NULL;
}

static void *reader(void *unused) {
    (void)unused;
    return (void *)(intptr_t)x;
}

int main(void) {
    pthread_t thread;
    for (intptr_t i = 0; i < N; i++) {
        pthread_create(&thread, NULL, writer, (void *)(i + 1));
    }
    pthread_create(&thread, NULL, reader, NULL);
    return 0;
}
