/* QS(N): concurrent quick sort of numbers that are sorted already (CAV 2017, ISSTA 2019;
 * reconstructed, see programs/QS.heddle): a thread for every part, which puts its list before or
 * after what its whole has in one step. 2^(N-1) traces; context-sensitive 1 for whole lists
 * (QS.heddle). Here two parts of a list touch other elements in the other order, and `context`
 * compares only steps that touch the same in both orders. */
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdint.h>

#ifndef N
#define N 4
#endif

static struct part {
    int whole, left, right; /* 0: none; the first one has no whole */
    int count, list[N];
} parts[2 * N - 1];

static int part_count;
static pthread_t threads[2 * N - 1];

/* The pivot, which is the first number, goes to the left; no number is smaller. Parts in preorder:
 * a whole comes before its parts. */
static int divide(int whole, int low) {
    int v = part_count++;
    parts[v].whole = whole;
    if (low == N - 1) {
        parts[v].list[parts[v].count++] = low;
        return v;
    }
    int pivot = part_count++;
    parts[pivot].whole = v;
    parts[pivot].list[parts[pivot].count++] = low;
    parts[v].left = pivot;
    parts[v].right = divide(v, low + 1);
    return v;
}

static void put(struct part *whole, const struct part *from) {
    int at = whole->count;
    if (whole->count && whole->list[0] > from->list[0]) {
        for (int i = whole->count; i-- > 0;) {
            whole->list[i + from->count] = whole->list[i];
        }
        at = 0;
    }
    for (int i = 0; i < from->count; i++) {
        whole->list[at + i] = from->list[i];
    }
    whole->count += from->count;
}

static void *run(void *argument) {
    struct part *p = &parts[(intptr_t)argument];
    if (p->left) {
        pthread_join(threads[p->left], NULL);
        pthread_join(threads[p->right], NULL);
    }
    if (p != parts) {
        heddle_atomic_begin();
        put(&parts[p->whole], p);
        heddle_atomic_end();
    }
    return NULL;
}

int main(void) {
    divide(0, 0);
    for (intptr_t v = part_count; v-- > 0;) {
        pthread_create(&threads[v], NULL, run, (void *)v);
    }
    pthread_join(threads[0], NULL);
    for (int i = 0; i < N; i++) {
        assert(parts[0].list[i] == i);
    }
    return 0;
}
