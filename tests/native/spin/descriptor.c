/* Waits for a flag, and asks libc for something, without success. About a descriptor that is not open: the
 * first round leaves another errno, the others are void. Tables of libc are nobody's to change. */
#include <ctype.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "spin.h"

static atomic_int flag;

static void *waiter(void *argument) {
    struct epoll_event event = {0};
    (void)event;
    while (!flag) {
        ASK;
    }
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waiter, NULL);
    flag = 1;
    pthread_join(thread, NULL);
    return 0;
}
