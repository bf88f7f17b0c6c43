/* Loops in functions that also use a thread-local variable, or an array of the frame by an index:
 * what the last round has left in dead locals must not make the next one look different. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int done[3];
static _Thread_local int own;
static int sum;

static void *first(void *unused) {
    own = 1;
    sum += own;
    done[0] = 1;
    return unused;
}

static void *second(void *unused) {
    while (!done[0]) {
        sched_yield();
    }
    own = 2;
    sum += own;
    done[1] = 1;
    return unused;
}

static void *third(void *unused) {
    int order[2] = {0, 1};
    int values[3] = {0};
    for (int i = 0; i < 2; i++) {
        while (!done[order[i]]) {
            sched_yield();
        }
        values[i + 1] = i + 1;
    }
    assert(values[0] == 0 && values[1] + values[2] == sum);
    return unused;
}

int main(void) {
    pthread_t threads[3];
    void *(*const starts[])(void *) = {first, second, third};
    for (int i = 0; i < 3; i++) {
        pthread_create(&threads[i], NULL, starts[i], NULL);
    }
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
    }
    return 0;
}
