#!/bin/bash
# The floating-point environment and the flags that outlast an instruction belong to threads of the
# program: they follow them through switches, are inherited by new threads, start out as usual in
# every execution, and are never heddle's.
. "$(dirname "$0")/../library.sh"

cat > environment.c << 'END'
#include <assert.h>
#include <fenv.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int turn;
static double third(void) {
    volatile double one = 1, three = 3;
    return one / three;
}
static long double long_third(void) {
    volatile long double one = 1, three = 3;
    return one / three;
}
static double below, nearest, above;
static void *upward(void *unused) {
    fesetround(FE_UPWARD);
    turn++;
    assert(fegetround() == FE_UPWARD && third() == above);
    turn++;
    assert(fegetround() == FE_UPWARD);
    return unused;
}
static void *plain(void *unused) {
    turn++;
    assert(fegetround() == FE_TONEAREST && third() == nearest);
    feclearexcept(FE_ALL_EXCEPT);
    turn++;
    assert(!fetestexcept(FE_ALL_EXCEPT));
    long_third();
    turn++;
    assert(fetestexcept(FE_ALL_EXCEPT) == FE_INEXACT);
    return unused;
}
static void *inherits(void *unused) {
    assert(fegetround() == FE_DOWNWARD);
    turn++;
    assert(fegetround() == FE_DOWNWARD && third() == below);
    return unused;
}
int main(void) {
    pthread_t a, b, c;
    assert(fegetround() == FE_TONEAREST);
    nearest = third();
    fesetround(FE_UPWARD);
    above = third();
    fesetround(FE_DOWNWARD);
    below = third();
    assert(below < above);
    fesetround(FE_TONEAREST);
    pthread_create(&a, 0, upward, 0);
    pthread_create(&b, 0, plain, 0);
    fesetround(FE_DOWNWARD);
    pthread_create(&c, 0, inherits, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    assert(fegetround() == FE_DOWNWARD);
    return 0;
}
END
for algorithm in pop optimal context none; do
    expect 0 "$heddle" check --algorithm=$algorithm environment.c -lm
done

# What is stored and fetched is memory like any other.
cat > stored.c << 'END'
#include <fenv.h>
#include <pthread.h>
static fenv_t shared;
static void *store(void *unused) {
    fegetenv(&shared);
    return unused;
}
int main(void) {
    pthread_t other;
    pthread_create(&other, 0, store, 0);
    fegetenv(&shared);
    pthread_join(other, 0);
    return 0;
}
END
expect 1 "$heddle" check stored.c -lm
says out 'data race'

[ "$(uname -m)" = x86_64 ] || exit 0

# A crash in the middle of a computation of the x87 leaves nothing on its stack; traps that the
# program has asked for are not heddle's.
cat > crash.c << 'END'
#include <assert.h>
#include <fenv.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static volatile int *nowhere;
static void *crash(void *unused) {
    feenableexcept(FE_DIVBYZERO | FE_INVALID);
    fesetround(FE_UPWARD);
    x++;
    __asm__ volatile("fld1\n\tfld1\n\tfld1\n\tfld1\n\tfld1\n\tmovl (%0), %%eax" : : "r"(nowhere) : "eax");
    return unused;
}
static void *compute(void *unused) {
    volatile long double one = 1, three = 3;
    x++;
    assert(one / three * three > 0.9L && fegetround() == FE_TONEAREST);
    x++;
    return unused;
}
int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, crash, 0);
    pthread_create(&other, 0, compute, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}
END
expect 1 "$heddle" check -k --json crash.c -lm
json '.errors | length == 1 and .[0].kind == "crash"'

# The alignment check of one thread is no matter of the other, nor of heddle.
cat > aligned.c << 'END'
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
static atomic_int x;
static char bytes[16];
static void *careful(void *unused) {
    __asm__ volatile("pushfq\n\torl $0x40000, (%%rsp)\n\tpopfq" : : : "cc", "memory");
    x++;
    x++;
    return unused;
}
static void *careless(void *unused) {
    for (int i = 0; i < 3; i++) {
        x++;
        __asm__ volatile("movl 1(%0), %%eax" : : "r"(bytes) : "eax");
    }
    return unused;
}
int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, careful, 0);
    pthread_create(&other, 0, careless, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}
END
expect 3 "$heddle" check -k --json aligned.c
json '.errors == [] and .executions == 10'

# An addition to an atomic floating-point number calls a function of libatomic.
cat > sum.c << 'EOF'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static _Atomic float sum;
static _Atomic double twice;
static void *adds(void *unused) {
    sum += 0.5f;
    twice = twice + 1.5;
    return unused;
}
int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, adds, NULL);
    pthread_create(&threads[1], NULL, adds, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    assert(sum == 1.0f);
    assert(twice == 3.0 || !LOST);
    return 0;
}
EOF
expect 0 "$heddle" check -DLOST=0 sum.c
expect 1 "$heddle" check -DLOST=1 sum.c
says out 'assertion failed: twice'
