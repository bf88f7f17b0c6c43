/* Overlapping accesses of different sizes conflict by bytes: a 4-byte write against 1-byte reads
 * of byte 1 (overlaps) and of byte 6 (does not).
 * expect --no-race: executions 2 errors none */
#include <pthread.h>

static union {
    int word[2];
    char byte[8];
} u;

static void *writer(void *unused) {
    (void)unused;
    u.word[0] = -1;
    return NULL;
}

static void *reader1(void *unused) {
    (void)unused;
    return u.byte[1] ? unused : NULL;
}

static void *reader6(void *unused) {
    (void)unused;
    return u.byte[6] ? unused : NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    pthread_create(&thread, NULL, reader1, NULL);
    pthread_create(&thread, NULL, reader6, NULL);
    return 0;
}
