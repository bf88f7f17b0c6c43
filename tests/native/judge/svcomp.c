/* A program in the style of SV-COMP: an assumption by abort, reach_error as the program defines it. */
#include <pthread.h>

extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned, const char *);
extern int __VERIFIER_nondet_int(void);

#ifdef EMPTY
void reach_error() {}
#else
void reach_error() { __assert_fail("0", "svcomp.c", 3, "reach_error"); }
#endif
void __VERIFIER_assert(int cond) {
    if (!cond) {
    ERROR: {
        reach_error();
        abort();
    }
    }
}
void assume_abort_if_not(int cond) {
    if (!cond) {
        abort();
    }
}

int x, y, *null;
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

void *thread(void *unused) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    x = 1;
    y = 1;
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return unused;
}

int main(void) {
    int unused = __VERIFIER_nondet_int();
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    int seen = x;
    assume_abort_if_not(seen == 0);
#ifdef BUG
    __VERIFIER_assert(y == 0);
#endif
#ifdef DEAD
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
#endif
#ifdef CRASH
    *null = 1;
#endif
    pthread_join(t, 0);
    return 0;
}
