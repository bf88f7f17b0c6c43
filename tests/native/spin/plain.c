/* The flag is not atomic, or volatile; nobody may ever set it, and a round may have many reads. */
#include "spin.h"

#ifndef KIND
#define KIND
#endif

#ifdef NEVER
enum { SET = 0 };
#else
enum { SET = 1 };
#endif

static KIND int flag;
#ifdef READS
static int zeros[READS];

static int sum_of_zeros(void) {
    int sum = 0;
    for (int i = 0; i < READS; i++) {
        sum += zeros[i];
    }
    return sum;
}
#else
static int sum_of_zeros(void) {
    return 0;
}
#endif

static void *waits(void *argument) {
    (void)argument;
    while (flag + sum_of_zeros() != 1) {
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waits, NULL);
#ifndef NOBODY
    flag = SET;
#endif
    pthread_join(thread, NULL);
}
