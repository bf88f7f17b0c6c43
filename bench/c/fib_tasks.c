/* Fib(N): concurrent Fibonacci (CAV 2017, ISSTA 2019; reconstructed, see programs/Fib.heddle): a
 * thread for every call, which adds its result to that of its caller in one step. 2^C traces, C
 * calls that are not simple (3: 4, 4: 16, 5: 128, 6: 4096); context-sensitive 1. */
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdint.h>

#ifndef N
#define N 4
#endif

enum { MOST_CALLS = 64 };

static struct call {
    int caller, left, right, sum; /* 0: no call; the first one has no caller */
} calls[MOST_CALLS];

static int call_count;
static pthread_t threads[MOST_CALLS];

/* Calls in preorder: a caller comes before its calls. */
static int plan(int caller, int n) {
    int v = call_count++;
    calls[v].caller = caller;
    if (n > 1) {
        calls[v].left = plan(v, n - 1);
        calls[v].right = plan(v, n - 2);
    } else {
        calls[v].sum = n;
    }
    return v;
}

static void *run(void *argument) {
    struct call *c = &calls[(intptr_t)argument];
    if (c->left) {
        pthread_join(threads[c->left], NULL);
        pthread_join(threads[c->right], NULL);
    }
    if (c != calls) {
        heddle_atomic_begin();
        calls[c->caller].sum += c->sum;
        heddle_atomic_end();
    }
    return NULL;
}

static int fib(int n) {
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

int main(void) {
    plan(0, N);
    for (intptr_t v = call_count; v-- > 0;) {
        pthread_create(&threads[v], NULL, run, (void *)v);
    }
    pthread_join(threads[0], NULL);
    assert(calls[0].sum == fib(N));
    return 0;
}
