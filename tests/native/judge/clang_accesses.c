/* Accesses that clang does not announce: by their size, or because a struct is passed by value. */
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>

struct big {
    long x[BIG];
};
typedef int wide __attribute__((vector_size(32)));

#if WAY == 1
static long double shared, sum, other, product;
#elif WAY == 2
static wide shared;
#else
static struct big shared;
#endif

static long first(struct big b) {
    return b.x[0];
}

static long first_of(int count, ...) {
    va_list list;
    va_start(list, count);
    struct big b = va_arg(list, struct big);
    va_end(list);
    return b.x[0];
}

static long first_at(const struct big *b) {
    return first(*b);
}

static void *change(void *unused) {
#if WAY == 1
    shared = 3;
    product = shared * 2 + other;
#elif WAY == 2
    shared = (wide){1, 1, 1, 1, 1, 1, 1, 1};
#else
    shared.x[0] = 1;
#endif
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, change, NULL);
#ifdef ORDERED
    pthread_join(thread, NULL);
#endif
#if WAY == 1
    sum = (shared + other) * (shared - other);
    long value = (long)sum;
#elif WAY == 2
    wide copy = shared;
    long value = copy[0];
#elif WAY == 3
    long value = first(shared);
#elif WAY == 4
    long value = first_at(&shared);
#else
    long value = first_of(1, shared);
#endif
#ifdef ORDERED
    assert(value == (WAY == 1 ? 9 : 1));
#else
    assert(value == 0);
    pthread_join(thread, NULL);
#endif
    (void)first, (void)first_of, (void)first_at;
#if WAY == 1
    assert(product == 6 && (sum == 0 || sum == 9));
#endif
    return 0;
}
