/* Litmus tests. Arguments: the test, and the orders: 0 relaxed, 1 release and acquire, 2 seq_cst, 3
 * relaxed with a seq_cst fence between every two accesses, 4 relaxed with release fences before and
 * acquire fences after. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static atomic_int x, y, z;
static int orders;

static void store(atomic_int *to, int value) {
    if (orders == 4)
        atomic_thread_fence(memory_order_release);
    if (orders == 1)
        atomic_store_explicit(to, value, memory_order_release);
    else if (orders == 2)
        atomic_store(to, value);
    else
        atomic_store_explicit(to, value, memory_order_relaxed);
    if (orders == 3)
        atomic_thread_fence(memory_order_seq_cst);
}

static void load(atomic_int *from) {
    if (orders == 1)
        atomic_load_explicit(from, memory_order_acquire);
    else if (orders == 2)
        atomic_load(from);
    else
        atomic_load_explicit(from, memory_order_relaxed);
    if (orders == 3)
        atomic_thread_fence(memory_order_seq_cst);
    if (orders == 4)
        atomic_thread_fence(memory_order_acquire);
}

#define ACCESS(name, first, second) \
    static void *name(void *unused) { \
        first; \
        second; \
        return unused; \
    }
ACCESS(wx, store(&x, 1), (void)0)
ACCESS(wy, store(&y, 1), (void)0)
ACCESS(wx_wy, store(&x, 1), store(&y, 1))
ACCESS(wx2_wy, store(&x, 2), store(&y, 1))
ACCESS(wy2_wx, store(&y, 2), store(&x, 1))
ACCESS(wy2_wz, store(&y, 2), store(&z, 1))
ACCESS(wx_ry, store(&x, 1), load(&y))
ACCESS(wy_rx, store(&y, 1), load(&x))
ACCESS(wy2_rx, store(&y, 2), load(&x))
ACCESS(rx_wy, load(&x), store(&y, 1))
ACCESS(ry_wx, load(&y), store(&x, 1))
ACCESS(ry_wz, load(&y), store(&z, 1))
ACCESS(rx_ry, load(&x), load(&y))
ACCESS(ry_rx, load(&y), load(&x))
ACCESS(rz_rx, load(&z), load(&x))

static const struct {
    const char *name;
    void *(*threads[4])(void *);
} tests[] = {
    {"SB", {wx_ry, wy_rx}},
    {"MP", {wx_wy, ry_rx}},
    {"LB", {rx_wy, ry_wx}},
    {"IRIW", {wx, wy, rx_ry, ry_rx}},
    {"2+2W", {wx_wy, wy2_wx}},
    {"R", {wx_wy, wy2_rx}},
    {"S", {wx2_wy, ry_wx}},
    {"WRC", {wx, rx_wy, ry_rx}},
    {"ISA2", {wx_wy, ry_wz, rz_rx}},
    {"Z6.0", {wx_wy, wy2_wz, rz_rx}},
};

int main(int count, char **arguments) {
    if (count != 3)
        return 2;
    orders = atoi(arguments[2]);
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
        if (strcmp(tests[i].name, arguments[1]) != 0)
            continue;
        pthread_t threads[4];
        int n = 0;
        for (; n < 4 && tests[i].threads[n]; n++)
            pthread_create(&threads[n], NULL, tests[i].threads[n], NULL);
        while (n > 0)
            pthread_join(threads[--n], NULL);
        return 0;
    }
    return 2;
}
