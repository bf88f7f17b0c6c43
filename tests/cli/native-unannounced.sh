#!/bin/bash
# Accesses that the compiler announces as one, or not at all: bit-fields, builtins of the machine,
# and with clang what its instrumentation leaves out.
. "$(dirname "$0")/../library.sh"
cp "$root/tests/native/judge/bits.c" "$root/tests/native/judge/clang_accesses.c" \
    "$root/tests/native/judge/machine_builtins.c" .

for way in 1 2 3 4 5 6 7 8 9; do
    for flags in --cc=gcc --optimize; do
        expect 1 "$heddle" check --json $flags -DWAY=$way bits.c
        json '.errors[0].kind == "data-race"'
        expect 1 "$heddle" check --json --no-race-check $flags -DWAY=$way bits.c
        json '.errors[0].kind == "assertion"'
        expect 0 "$heddle" check --json --no-race-check $flags -DLOCKED -DWAY=$way bits.c
        json '.executions == 2'
    done
done
for algorithm in optimal observers source context none; do
    checked 1 -k --json --no-race-check --algorithm=$algorithm -DWAY=1 bits.c
    checked 1 -k --json --no-race-check --algorithm=$algorithm -DWAY=6 bits.c
done
expect 1 "$heddle" check --json --volatile=atomic -DWAY=4 bits.c
json '.errors[0].kind == "assertion"'

# A function that asks not to be instrumented is, by every name of the attribute.
for attribute in no_sanitize_thread __no_sanitize_thread__ 'no_sanitize("thread")'; do
    cat > quiet.c << END
#include <assert.h>
#include <pthread.h>
static int calls;
#if __has_attribute(no_sanitize_thread)
__attribute__(($attribute))
#endif
static void *call(void *unused) {
    calls++;
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, call, NULL);
    call(NULL);
    pthread_join(thread, NULL);
    assert(calls == 2);
}
END
    expect 1 "$heddle" check --json quiet.c
    json '.errors[0].kind == "data-race"'
    expect 1 "$heddle" check --json --no-race-check quiet.c
    json '.errors[0].kind == "assertion"'
done

[ "$(uname -m)" = x86_64 ] || exit 0
for way in 1 2 3 4 5; do
    for flags in --cc=gcc --optimize; do
        expect 1 "$heddle" check --json $flags -DWAY=$way machine_builtins.c
        json '.errors[0].kind == "data-race"'
        expect 1 "$heddle" check --json --no-race-check $flags -DWAY=$way machine_builtins.c
        json '.errors[0].kind == "assertion"'
        expect 0 "$heddle" check --json $flags -DLOCKED -DWAY=$way machine_builtins.c
        json '.executions == 2'
    done
done

# What is the function's own, and may be in its frame.
cat > own.c << 'END'
#include <assert.h>
#include <pthread.h>
#include <x86intrin.h>
static void *compute(void *unused) {
    unsigned processor;
    unsigned long long low = 5, high = 7;
    unsigned char carry = _addcarry_u64(0, low, high, &low);
    float half[4];
    __rdtscp(&processor);
    _mm_storel_pi((__m64 *)(half + 2), _mm_set1_ps(3));
    assert(low == 12 && !_subborrow_u64(carry, high, 3, &high) && high == 4 && half[3] == 3);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, compute, NULL);
    compute(NULL);
    pthread_join(thread, NULL);
}
END
for flags in --cc=gcc --optimize; do
    expect 0 "$heddle" check $flags own.c
done
echo 'int main(void) { return 0; }' > empty.c
for compiler in gcc clang; do
    expect 0 "$heddle" check --cc=$compiler -std=c89 -Wpedantic -Werror empty.c
done

expect 3 "$heddle" check -DLOCKED -DWAY=6 machine_builtins.c
says out 'not understood was reached: __builtin_ia32_maskmovdqu'
expect 3 "$heddle" check --cc=clang -DWAY=6 machine_builtins.c
says out 'not understood was reached: maskmovdqu \(machine_builtins.c:27\)'

# Later versions of clang copy structs by calls of their own, which a source may also contain.
cat > copies.c << 'END'
#include <pthread.h>
#include <stddef.h>
void *__tsan_memcpy(void *, const void *, size_t);
void *__tsan_memmove(void *, const void *, size_t);
void *__tsan_memset(void *, int, size_t);
static struct { char bytes[40]; } a, b;
static void *run(void *unused) {
    COPY;
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    a.bytes[39] = 1;
    pthread_join(thread, NULL);
}
END
for copy in '__tsan_memcpy(&a,&b,40)' '__tsan_memmove(&b,&a,40)' '__tsan_memset(&a,1,40)'; do
    expect 1 "$heddle" check --json "-DCOPY=$copy" copies.c
    json '.errors[0].kind == "data-race"'
    expect 0 "$heddle" check "-DCOPY=${copy%40)}39)" copies.c
    expect 0 "$heddle" cc "-DCOPY=${copy%40)}39)" -o copies copies.c
    expect 0 ./copies
done

for way in 1 2 3 4 5; do
    for big in 3 25; do
        expect 1 "$heddle" check --json --cc=clang -DBIG=$big -DWAY=$way clang_accesses.c
        json '.errors[0].kind == "data-race"'
        expect 1 "$heddle" check --json --cc=clang --no-race-check -DBIG=$big -DWAY=$way clang_accesses.c
        json '.errors[0].kind == "assertion"'
        expect 0 "$heddle" check --json --cc=clang -DORDERED -DBIG=$big -DWAY=$way clang_accesses.c
    done
done

# The stack of the x87 is the thread's own, also in the middle of an expression.
cat > x87.c << 'END'
#include <assert.h>
#include <pthread.h>
static long double x = 1, y = 2, p = 10, q = 20, z, w;
static void *one(void *unused) {
    w = (p + q) * (p - q);
    x = 1;
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, one, NULL);
    z = (x + y) * (x - y);
    q = 20;
    pthread_join(thread, NULL);
    assert(z == -3 && w == -300);
}
END
for compiler in gcc clang; do
    expect 0 "$heddle" check --json --no-race-check --cc=$compiler x87.c
    json '.executions > 2'
done

# What clang leaves of an atomic access that it has replaced is no access.
cat > wide.c << 'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
typedef struct {
    long a, b;
} pair;
static _Atomic pair shared;
static void *run(void *unused) {
    atomic_store(&shared, ((pair){1, 1}));
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    pair seen = atomic_load(&shared);
    assert(seen.a == seen.b);
    pthread_join(thread, NULL);
}
END
expect 0 "$heddle" check --json --cc=clang wide.c
json '.executions == 2'
cat > atomic.c << 'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static _Atomic int number;
static _Atomic char byte;
static int *_Atomic pointer;
static _Atomic double real;
static void *run(void *unused) {
    number = 1, byte = 2, pointer = (int *)&number, real = 3;
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    int n = number, b = byte, p = pointer != NULL, r = (int)real;
    pthread_join(thread, NULL);
    assert(n <= 1 && b <= 2 && p <= 1 && r <= 3);
}
END
expect 0 "$heddle" check --json --cc=clang atomic.c
json '.executions == 16'

# A struct copy right before a call with a struct by value: nothing may come between its announcement
# and what it stores. The copy is before the first step of the other thread, between them or after.
cat > before-call.c << 'END'
#include <assert.h>
#include <pthread.h>
struct big { long a[8]; };
static struct big first, second, third, *pointer = &first;
static long seen;
long consume(struct big b) { return b.a[0]; }
static void *copies(void *unused) {
#ifdef POINTER
    second = *pointer;
#else
    second = first;
#endif
    consume(third);
    return unused;
}
static void *looks(void *unused) {
    first.a[0] = 2;
    seen = second.a[0];
    return unused;
}
int main(void) {
    pthread_t one, other;
    first.a[0] = 1;
    pthread_create(&one, NULL, copies, NULL);
    pthread_create(&other, NULL, looks, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    assert(seen != EXCLUDED);
    return 0;
}
END
for flags in "" -DPOINTER --optimize; do
    expect 0 "$heddle" check --json --no-race-check --optimal --first=highest $flags -DEXCLUDED=3 before-call.c
    json '.executions == 3'
    for value in 0 1 2; do
        expect 1 "$heddle" check --no-race-check --optimal --first=highest $flags -DEXCLUDED=$value before-call.c
    done
done
