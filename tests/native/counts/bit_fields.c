/* Bit-fields of one byte are one memory location: two threads that write neighbours conflict, a
 * third one, whose field lies in another byte, does not. Each reads what both share, and writes it.
 * expect --no-race: executions 4 errors none
 * expect: executions 4 errors data-race */
#include <pthread.h>

static struct {
    unsigned a : 3, b : 5;
    unsigned char c;
} bits;

static void *write_a(void *unused) {
    (void)unused;
    bits.a = 1;
    return NULL;
}

static void *write_b(void *unused) {
    (void)unused;
    bits.b = 2;
    return NULL;
}

static void *write_c(void *unused) {
    (void)unused;
    bits.c = 3;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, write_a, NULL);
    pthread_create(&thread, NULL, write_b, NULL);
    pthread_create(&thread, NULL, write_c, NULL);
    return 0;
}
