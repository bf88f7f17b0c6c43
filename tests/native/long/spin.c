/* Waits for a flag in a loop that counts its rounds, and so is no spin loop: executions as long as
 * one allows. */
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
    unsigned rounds = 0;
    while (!flag) {
        rounds++;
    }
    pthread_join(setter, 0);
    return rounds == 12345;
}
