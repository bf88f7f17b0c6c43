// verified: the processor's clock, random numbers and number are as fixed as those of libc
// options: -D_GNU_SOURCE
#include <assert.h>
#include <cpuid.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/random.h>
#include <unistd.h>

static uint64_t random64(void) {
    uint64_t value;
    unsigned char good;
    __asm__ volatile("rdrand %0; setc %1" : "=r"(value), "=qm"(good));
    assert(good);
    return value;
}

static _Atomic uint64_t first;
static _Atomic int x;

static void *worker(void *unused) {
    x = 1;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    int seen = x;
    uint64_t start = __builtin_ia32_rdtsc();
    usleep(1000);
    unsigned processor;
    uint64_t end = __builtin_ia32_rdtscp(&processor);
    assert(processor == 0);
    assert(end - start == 1001000); /* a nanosecond each, and the look */
    uint64_t chance, drawn = random64();
    getrandom(&chance, sizeof chance, 0);
    unsigned a, b, c, d;
    __cpuid(1, a, b, c, d);
    assert(b >> 24 == 0);
    assert(getpid() == 1000 && gettid() == 1000);
    assert(drawn != chance);
    assert(drawn == 0x910a2dec89025cc1u);
    pthread_join(t, NULL);
    return 0;
}
