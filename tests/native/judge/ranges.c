/* Undetermined values that comparisons with constants bound, or divide. With BUG there is one. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern long __VERIFIER_nondet_long(void);
extern short __VERIFIER_nondet_short(void);

#ifdef BUG
enum { WRONG = 1 };
#else
enum { WRONG = 0 };
#endif

void assume_abort_if_not(int condition) {
#ifndef EMPTY
    if (!condition) {
        abort();
    }
#endif
}

static int seen, bound;
static volatile int unsteady;

static void *worker(void *unused) {
    return unused;
}

int main(void) {
    pthread_t t;
#if defined STRAIGHT
    int n = __VERIFIER_nondet_int();
    assume_abort_if_not(n >= 20);
    assume_abort_if_not(n < 24);
    seen = n;
    assert(seen != 24 - WRONG);
#elif defined TOGETHER
    long n = __VERIFIER_nondet_long();
    assume_abort_if_not(20 <= n && n < 24);
    seen = (int)n;
    assert(seen != 24 - WRONG && seen >= 20);
#elif defined OUTSIDE
    short n = __VERIFIER_nondet_short();
    if (!(n >= 20 && n < 24) && n != -300) {
        abort();
    }
    seen = n;
    assert(seen != (WRONG ? -300 : -299));
#elif defined RETURNED /* gcc notes what it predicts of the early ends */
    for (int i = 0; i < 1; i++) {
        int n = __VERIFIER_nondet_int();
        if (n == 7) {
            continue;
        }
        if (n < 20 || n >= 24) {
            return 0;
        }
        seen = n;
        if (n == 22) {
            goto end;
        }
    }
    assert(seen != 24 - WRONG);
end:
    bound = 0;
#elif defined THOUSAND
    int n = __VERIFIER_nondet_int();
    assume_abort_if_not(n >= 0 && n < 1000);
    seen = n;
    assert(seen != (WRONG ? 777 : 1000));
#elif defined CONVERTED /* by its declaration */
    int n = __VERIFIER_nondet_uint();
    if (!(n >= 20 && n < 24) && n != -300) {
        abort();
    }
    seen = n;
    assert(seen != (WRONG ? -300 : -299));
#elif defined CONVERTED_IN_LOOP
    for (int i = 0; i < 3; i++) {
        int n = __VERIFIER_nondet_uint();
        assume_abort_if_not(n >= 0 && n < 2);
        seen += n;
    }
    assert(seen != 4 - WRONG);
#elif defined NARROWED
    unsigned char n = __VERIFIER_nondet_int();
    assume_abort_if_not(n >= 253);
    seen = n;
    assert(seen != 256 - WRONG);
#elif defined WIDENED
    long n = __VERIFIER_nondet_uint();
    assume_abort_if_not(n < 4 || n >= 4294967294);
    seen = n > 4;
    assert(n != (WRONG ? 4294967295 : 4294967296));
#elif defined CONVERTED_TWICE /* the value itself is seen as well */
    unsigned wide = __VERIFIER_nondet_uint();
    signed char n = (signed char)wide;
    assume_abort_if_not(n == 1);
    assert(wide != 257);
#elif defined VOLATILE
    unsteady = __VERIFIER_nondet_uint();
    if (!(unsteady >= 20 && unsteady < 24)) {
        abort();
    }
    seen = unsteady;
    assert(seen != 24 - WRONG);
#elif defined COMPARED
    long n = __VERIFIER_nondet_long();
    int large = n > 1000;
    seen = large;
    assert(!(seen && n < 1002 - !WRONG));
#elif defined VARIABLE
    bound = __VERIFIER_nondet_int();
    assume_abort_if_not(bound >= 20 && bound < 24);
    seen = bound;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    assert(seen != 24 - WRONG);
#elif defined SHARED /* other threads may see the variable before it is bounded */
    pthread_create(&t, NULL, worker, NULL);
    bound = __VERIFIER_nondet_int();
    assume_abort_if_not(bound >= 0 && bound < 2);
    seen = bound;
    pthread_join(t, NULL);
    assert(seen != 2 - WRONG);
#elif defined MASK
    unsigned low = __VERIFIER_nondet_uint() & 12u;
    assert(low != 13u - WRONG && low + 1 != 0);
#elif defined REMAINDER
    seen = __VERIFIER_nondet_int() % 5;
    assert(seen != -5 + WRONG);
#elif defined MASK_AND_MORE /* the rest of the value is seen as well */
    unsigned n = __VERIFIER_nondet_uint();
    seen = n & 3;
    assert(n != 1234567);
#elif defined LOOP
    while (__VERIFIER_nondet_int() > 77 && seen < 3) {
        seen++;
    }
    assert(seen != 4 - WRONG);
#elif defined WIDE    /* too many values */
    int n = __VERIFIER_nondet_int();
    assume_abort_if_not(n >= 0 && n < 100000);
    seen = n;
    assert(seen != 77777);
#elif defined POINTED /* somebody has its address */
    int n = __VERIFIER_nondet_int(), *p = &n;
    assume_abort_if_not(n >= 0 && n < 4);
    *p += 5;
    seen = n;
    assert(seen != 9 - WRONG);
#endif
    return (void)worker, (void)t, (void)bound, (void)unsteady, 0;
}
