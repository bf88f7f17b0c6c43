/* Undetermined values of which the program sees little, or, if asked, more. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern long __VERIFIER_nondet_long(void);
extern _Bool __VERIFIER_nondet_bool(void);

static int g;
static int g_7; /* looks like a value of the compiler's */
struct pair {
    int a, b_1;
};

static int use(struct pair p) {
    return p.b_1;
}

struct holder {
    int before;
    struct pair pair;
};

static int same(struct pair p, struct pair q) {
    return p.a == q.a;
}

static int pass(int value) {
    return value;
}

int main(void) {
    /* Nothing is seen of these. */
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    __VERIFIER_nondet_long();
    int z = y + 1, w = z & 7;
    for (int i = 0; i < 3; i++) {
        x = __VERIFIER_nondet_int();
    }
    /* Of these, whether they are zero. */
    while (__VERIFIER_nondet_int() && g < 3) {
        g++;
    }
    if (!__VERIFIER_nondet_uint()) {
        g = 7;
    }
    int copy = __VERIFIER_nondet_int(), again = copy;
    _Bool truth = again;
#ifdef BUG
    assert(!truth || g != 7);
#endif
    /* Of these, more. */
#ifdef NARROW
    char c = copy;
    if (c) {
        g = 9;
    }
#elif defined STORED
    g_7 = __VERIFIER_nondet_int();
    assert(g_7 != 12345);
#elif defined MEMBER
    struct pair p = {0, 0};
    p.b_1 = __VERIFIER_nondet_int();
    assert(use(p) != 12345);
#elif defined ELEMENT
    struct holder holders[2] = {{0, {0, 0}}, {0, {1, 0}}};
    assert(same(holders[__VERIFIER_nondet_bool()].pair, holders[0].pair));
#elif defined PASSED
    assert(pass(__VERIFIER_nondet_int()) != 12345);
#elif defined COMPARED
    long l = __VERIFIER_nondet_long();
    assert(l != 12345);
#elif defined COMPUTED
    long l = __VERIFIER_nondet_long() - 12345;
    assert(l);
#elif defined DIVIDED
    int d = 5 / __VERIFIER_nondet_int();
#elif defined RETURNED
    return __VERIFIER_nondet_int();
#elif defined ASSEMBLY && defined __x86_64__
    int in = __VERIFIER_nondet_int();
    __asm__ volatile("xorl %0, %0" : "+r"(in));
#endif
    return 0;
}
