/* Loops that a choice can leave: a round that changes nothing is gone once, whatever was chosen in it. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
_Bool __VERIFIER_nondet_bool(void);
void __VERIFIER_assume(int);
static atomic_int x, y, done;
static void *run(void *argument) {
#if WHAT == 1 /* a choice alone */
    while (__VERIFIER_nondet_bool()) {
    }
    done = 2;
#elif WHAT == 2 /* what was read last counts */
    int v, w;
    do {
        v = x;
        w = y;
    } while (__VERIFIER_nondet_bool());
    done = v == 0 && w == 1;
#elif WHAT == 3 /* waits for the other, after a choice */
    for (;;) {
        if (__VERIFIER_nondet_bool() && x) {
            break;
        }
    }
    done = 2;
#elif WHAT == 4 /* among three, one of which cannot be chosen */
    int c;
    do {
        c = __VERIFIER_nondet_int();
        __VERIFIER_assume(c >= 0 && c < 3);
    } while (c != 2);
    done = c;
#elif WHAT == 5 /* rounds that change memory of the thread's own are not left out */
    int *count = calloc(1, sizeof *count);
    while (__VERIFIER_nondet_bool() && *count <= 40) {
        done = ++*count == 30;
    }
    free(count);
#elif WHAT == 6 /* nor are those that change a local */
    int count = 0;
    while (__VERIFIER_nondet_bool() && count < 5) {
        count++;
    }
    done = count == 5;
#elif WHAT == 7 /* a loop in a loop, and two choices in a round */
    int v = 0;
    while (v < 2) {
        while (!__VERIFIER_nondet_bool()) {
            v = x;
        }
        v = __VERIFIER_nondet_bool() ? 2 : v;
    }
    done = 2;
#endif
    return argument;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    x = 1;
    y = 1;
    pthread_join(thread, NULL);
    assert(done != 1);
    return 0;
}
