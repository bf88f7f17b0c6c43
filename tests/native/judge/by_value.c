/* Structs in shared memory that are passed to and returned from functions by value: read and
 * written as one step. */
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct pair {
    int a, b;
};
struct mixed {
    double a;
    long b;
};
struct big {
    long x[5];
};
struct odd {
    char c[61];
};
struct huge {
    char c[1003];
};

#ifdef MEMBER
static struct {
    TYPE other, shared_1;
} outer;
static TYPE *pointer, array[3];
#elif defined LOCAL
static TYPE *pointer, array[3];
#else
#ifdef STATIC
static
#endif
    TYPE shared,
    *pointer = &shared, array[3];
#endif
static int one = 1;

static int equal(TYPE t) {
    const char *bytes = (const char *)&t;
    for (unsigned i = 1; i < sizeof t; i++) {
        if (bytes[i] != bytes[0]) {
            return 0;
        }
    }
    return 1;
}

static TYPE make(int c) {
    TYPE t;
    memset(&t, c, sizeof t);
    return t;
}

static void *work(void *unused) {
#ifdef RESULT
    TYPE copy = shared;
    assert(equal(copy));
#else
    TYPE t;
    memset(&t, 1, sizeof t);
#ifdef LOCAL
    *pointer = t;
#else
    shared = t;
#endif
    array[1] = t;
#endif
    return unused;
}

int main(void) {
    pthread_t thread;
    int same = 1;
#ifdef LOCAL
    TYPE shared = {0};
    pointer = &shared;
#endif
    pthread_create(&thread, NULL, work, NULL);
#if defined GLOBAL
    same = equal(shared);
#elif defined POINTER
    same = equal(*pointer);
#elif defined ELEMENT
    same = equal(array[one]);
#elif defined RESULT
    shared = make(3);
#elif defined BOTH
    shared = make(3);
    same = equal(shared);
#endif
    assert(same);
    pthread_join(thread, NULL);
    return 0;
}
