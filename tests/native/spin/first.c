/* Locals of the first function of the file are read by a pointer after a loop; those of another one
 * start at other places. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int flag;

static void waits(void) {
    struct {
        int first, second, third, fourth, fifth, sixth;
    } all = {1, 1, 1, 1, 1, 1};
    int *pointer = &all.first;
    while (!atomic_load(&flag)) {
        all.second = all.third = all.fourth = all.fifth = all.sixth = 2;
    }
    sched_yield();
    for (int i = 1; i < 6; i++) {
        assert(pointer[i] == 1 || pointer[i] == 2);
    }
}

static void *sets(void *argument) {
    int a = 1, b = a, c = b, d = c, e = d, f = e, g = f, h = g, i = h, j = i, k = j, l = k;
    atomic_store(&flag, l);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, sets, NULL);
    waits();
    pthread_join(thread, NULL);
}
