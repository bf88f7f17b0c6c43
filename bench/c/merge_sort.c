/* MS(N): concurrent merge sort (CAV 2017, ISSTA 2019; reconstructed, see programs/MS.heddle): a
 * thread for every half, down to single numbers, which merges its sorted list into that of the
 * whole in one step. 2^(N-1) traces; context-sensitive 1 for whole lists (MS.heddle). Here the two
 * mergers of a list touch other elements in the other order, and `context` compares only steps that
 * touch the same in both orders. */
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdint.h>

#ifndef N
#define N 4
#endif

static struct half {
    int whole, left, right; /* 0: none; the first one has no whole */
    int count, list[N];
} halves[2 * N - 1];

static int half_count;
static pthread_t threads[2 * N - 1];

/* The numbers are N, N - 1, …, 1. Halves in preorder: a whole comes before its halves. */
static int divide(int whole, int low, int high) {
    int v = half_count++;
    halves[v].whole = whole;
    if (high - low > 1) {
        halves[v].left = divide(v, low, (low + high) / 2);
        halves[v].right = divide(v, (low + high) / 2, high);
    } else {
        halves[v].list[0] = N - low;
        halves[v].count = 1;
    }
    return v;
}

/* Every number goes to its place from the end. */
static void merge(struct half *into, const struct half *from) {
    int a = into->count - 1, b = from->count - 1;
    for (int at = a + b + 1; b >= 0; at--) {
        into->list[at] =
            a >= 0 && into->list[a] > from->list[b] ? into->list[a--] : from->list[b--];
    }
    into->count += from->count;
}

static void *run(void *argument) {
    struct half *h = &halves[(intptr_t)argument];
    if (h->left) {
        pthread_join(threads[h->left], NULL);
        pthread_join(threads[h->right], NULL);
    }
    if (h != halves) {
        heddle_atomic_begin();
        merge(&halves[h->whole], h);
        heddle_atomic_end();
    }
    return NULL;
}

int main(void) {
    divide(0, 0, N);
    for (intptr_t v = half_count; v-- > 0;) {
        pthread_create(&threads[v], NULL, run, (void *)v);
    }
    pthread_join(threads[0], NULL);
    for (int i = 0; i < N; i++) {
        assert(halves[0].list[i] == i + 1);
    }
    return 0;
}
