/* memcpy and memset touch ranges in one step. T1: memset of bytes 0..19; T2: memcpy of bytes
 * 16..23 elsewhere (overlaps bytes 16..19); T3: reads byte 22, which only T2 reads too.
 * The only conflict is T1 with T2: 2.
 * expect --no-race: executions 2 errors none */
#include <pthread.h>
#include <string.h>

static char bytes[24], elsewhere[8];

static void *setter(void *unused) {
    (void)unused;
    memset(bytes, 1, 20);
    return NULL;
}

static void *copier(void *unused) {
    (void)unused;
    memcpy(elsewhere, bytes + 16, 8);
    return NULL;
}

static void *reader(void *unused) {
    (void)unused;
    return bytes[22] ? unused : NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, setter, NULL);
    pthread_create(&thread, NULL, copier, NULL);
    pthread_create(&thread, NULL, reader, NULL);
    return 0;
}
