/* Assembly that touches nothing of anybody else's, and text that looks like assembly. */
#include <stdio.h>
#include <stdint.h>

const char *text = "lock; incl x; rdtsc";
static const char array[] = {';', '"', 'r', 'd', 't', 's', 'c'};
#ifdef __x86_64__
__asm__(".section .rodata.mine,\"a\"\nhidden: .ascii \"a; incl x\\\"; rdtsc\"\n.previous");
#endif

static void barriers(void) {
    __asm__ volatile("" ::: "memory");
#ifdef __x86_64__
    __asm__ volatile("lock; addl $0,(%%rsp)" ::: "memory", "cc");
    __asm__ volatile("lock addl $0,0(%%rsp)" ::: "memory", "cc");
    __asm__ volatile("lock; orq $0x0, -8(%%rsp)" ::: "memory", "cc");
    __asm__ volatile("mfence" ::: "memory");
    __asm__ volatile("lfence\n\tsfence" ::: "memory");
    __asm__ volatile("pause");
    __asm__ volatile("rep; nop");
    __asm__ volatile("rep nop # a pause; no more");
#ifndef __clang__ /* it writes each byte as a directive of its own */
    __asm__ volatile(".byte 0xf3, 0x90");
    __asm__ volatile(".byte 15,174,0xf0 # mfence" ::: "memory");
#endif
    __asm__ volatile("prefetcht0 %0" : : "m"(*text));
    __asm__ volatile("/* nothing; at all */");
#elif defined __aarch64__
    __asm__ volatile("dmb ish" ::: "memory");
    __asm__ volatile("dsb sy; isb" ::: "memory");
    __asm__ volatile("yield");
#endif
}

static uint32_t registers(uint32_t x) {
#ifdef __x86_64__
    uint32_t a = 0, b, c = 0, d;
    __asm__("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
    __asm__("bswapl %0\n\troll $3, %0" : "+r"(x));
#ifndef __clang__
    __asm__(".byte 0x0f, 0x01, 0xd0" : "=a"(a), "=d"(d) : "c"(0)); /* xgetbv */
#endif
    __asm__("1: subl $1, %0\n\tjnz 1b" : "+r"(c) : : "cc");
    __asm__("popcntl %1, %0; bsrl %1, %1" : "=r"(d), "+r"(a) : : "cc");
    __asm__("pushfq; popq %q0" : "=r"(b));
    double e = 2, f;
    __asm__("sqrtsd %1, %0" : "=x"(f) : "x"(e));
    __asm__("movsd %1, %0" : "=x"(f) : "x"(e));
    __asm__("movslq %1, %q0" : "=r"(a) : "r"(b));
#endif
    return x;
}

int main(void) {
    puts("a; b");
    puts(text);
    barriers();
    return registers(0) + array[0] != ';';
}
