/* Inline assembly as in the headers of Linux: a table of the places of prefixes in another section. */
#include <assert.h>
#include <pthread.h>

#define LOCK_PREFIX \
    ".section .smp_locks,\"a\"\n .balign 4\n .long 671f - .\n .previous\n671:\n\tlock; "

#ifdef MEMORY /* as there: clang puts it into memory, and "sete -9(%rbp)" is not understood */
#define PLACE "=qm"
#else
#define PLACE "=q"
#endif

static int counter = 2, freed;

static int decrement_and_test(int *value) {
    unsigned char zero;
    __asm__ volatile(LOCK_PREFIX "decl %0; sete %1" : "+m"(*value), PLACE(zero) : : "memory");
    return zero;
}

static void *worker(void *unused) {
    if (decrement_and_test(&counter)) {
        freed++;
    }
#ifdef STRANGE /* code in another section, and a label inside a line: not understood, but no hang */
    __asm__ volatile(".section .fixup,\"ax\"\n hlt; 1: jmp 2f; .previous\n2: nop; nop; nop" ::);
#endif
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(freed == 1);
    return 0;
}
