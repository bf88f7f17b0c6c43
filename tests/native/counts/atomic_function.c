/* Functions that are atomic by their names (SV-COMP): arguments in registers of both kinds and on
 * the stack, several returns, results of both kinds, one inside the other, called by a pointer.
 * Two threads of two steps on the same variable: 4! / (2! 2!) = 6 orders, and the sum is never
 * torn.
 * expect: executions 6 errors none
 * expect --cc=clang: executions 6 errors none
 * expect --faithful -foptimize-sibling-calls: executions 6 errors none */
#include <assert.h>
#include <pthread.h>

static long sum, copy;

static long __VERIFIER_atomic_add(long a, long b, long c, long d, long e, long f, long g,
                                  double h) {
    if (a < 0) {
        return -1;
    }
    assert(sum == copy);
    sum += a + b + c + d + e + f + g + (long)h;
    copy = sum;
    return a + b + c + d + e + f + 10 * g + (long)(100 * h);
}

double __VERIFIER_atomic_scale(double by, int times) {
    for (int i = 0; i < times; i++) {
        if (__VERIFIER_atomic_add(1, 0, 0, 0, 0, 0, 0, 0) != 1) {
            return 0;
        }
    }
    return by * times;
}

static int same(int a) {
    return a;
}

/* Its last call could be a jump. */
static int __VERIFIER_atomic_same(int a) {
    return same(a);
}

static void *worker(void *unused) {
    double (*volatile scale)(double, int) = __VERIFIER_atomic_scale;
    assert(__VERIFIER_atomic_add(1, 2, 3, 4, 5, 6, 7, 8.5) == 21 + 70 + 850);
    assert(scale(2.5, 3) == 7.5);
    assert(__VERIFIER_atomic_add(-1, 0, 0, 0, 0, 0, 0, 0) == -1);
    assert(__VERIFIER_atomic_same(5) == 5);
    return unused;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&other, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    assert(sum == 2 * (21 + 7 + 8 + 3));
    return 0;
}
