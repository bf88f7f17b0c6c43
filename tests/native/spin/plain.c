/* The flag is not atomic, or volatile. */
#include "spin.h"

#ifndef KIND
#define KIND
#endif

static KIND int flag;

static void *waits(void *argument) {
    (void)argument;
    while (!flag) {
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waits, NULL);
    flag = 1;
    pthread_join(thread, NULL);
}
