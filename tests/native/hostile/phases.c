/* What happens before and after main; -DACT=… says what. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "raw.h"

int x;

enum {
    CONSTRUCTOR_EXITS = 1,
    CONSTRUCTOR_ABORTS,
    CONSTRUCTOR_LOOPS,
    CONSTRUCTOR_CRASHES,
    DESTRUCTOR_EXITS,
    DESTRUCTOR_LOOPS
};

__attribute__((constructor)) static void before(void) {
    if (ACT == CONSTRUCTOR_EXITS) {
        raw(SYS_exit_group, 0, 0, 0, 0);
    } else if (ACT == CONSTRUCTOR_ABORTS) {
        raw(SYS_kill, raw(SYS_getpid, 0, 0, 0, 0), SIGABRT, 0, 0);
    } else if (ACT == CONSTRUCTOR_CRASHES) {
        *(volatile int *)8 = 1;
    }
    while (ACT == CONSTRUCTOR_LOOPS) {
        __asm__ volatile("");
    }
}

__attribute__((destructor)) static void after(void) {
    if (ACT == DESTRUCTOR_EXITS) {
        raw(SYS_exit_group, 0, 0, 0, 0);
    }
    while (ACT == DESTRUCTOR_LOOPS) {
        __asm__ volatile("");
    }
}

int main(void) {
    return x;
}
