/* Waits for a flag, and asks libc for something about a descriptor that is not open, in vain: the
 * first round leaves another errno, the others are void. */
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
