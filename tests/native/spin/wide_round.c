/* Each of the two steps of a round reads N plain variables beside its own, that is fewer than are
 * remembered of a step; both together read more. */
#include "spin.h"

static atomic_int first, second;
static int zeros[2 * N];

static int sum_of(const int *numbers) {
    int sum = 0;
    for (int i = 0; i < N; i++) {
        sum += numbers[i];
    }
    return sum;
}

static void *waits(void *argument) {
    int sum;
    do {
        sum = first + sum_of(zeros);
        sum += second + sum_of(zeros + N);
    } while (!sum);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waits, NULL);
    pthread_join(thread, NULL);
}
