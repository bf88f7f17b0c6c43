/* Waits for a flag in a loop: executions as long as one allows. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *set(void *unused) {
    flag = 1;
    return unused;
}

int main(void) {
    pthread_t setter;
    pthread_create(&setter, 0, set, 0);
    while (!flag) {
    }
    pthread_join(setter, 0);
    return 0;
}
