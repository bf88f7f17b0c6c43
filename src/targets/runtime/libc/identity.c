/* Who and where the program is: the same in every run. */
#include <errno.h>
#include <string.h>
#include <sys/prctl.h>

#include "targets/runtime/kernel/ranges.h"
#include "targets/runtime/kernel/symbols.h"

enum { PROCESS = 1000, PARENT = 1, NAME_SIZE = 16 };

pid_t heddle_getpid(void) {
    return PROCESS;
}

pid_t heddle_getppid(void) {
    return PARENT;
}

pid_t heddle_getpgrp(void) {
    return PROCESS;
}

pid_t heddle_gettid(void) {
    return PROCESS + (runtime.current ? (pid_t)runtime.current->number : 0);
}

int heddle_sched_getcpu(void) {
    return 0;
}

/* What changes nothing that the program could see. */
int heddle_prctl(int option, unsigned long argument, ...) {
    switch (option) {
        case PR_SET_NAME:
        case PR_SET_PDEATHSIG:
        case PR_SET_DUMPABLE:
        case PR_SET_KEEPCAPS:
        case PR_SET_TIMERSLACK:
        case PR_SET_NO_NEW_PRIVS:
        case PR_SET_THP_DISABLE:
        case PR_SET_VMA: return 0;
        case PR_GET_NAME:
            writes((void *)argument, NAME_SIZE, HERE);
            strncpy((char *)argument, "program", NAME_SIZE);
            return 0;
        default: heddle_unsupported("prctl with this option", HERE);
    }
}
