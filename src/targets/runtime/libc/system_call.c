/* System calls that programs make by number, because libc has no function for them, or had none
 * once. */
#include <errno.h>
#include <fcntl.h>
#include <linux/membarrier.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/syscall.h>

#include "targets/runtime/kernel/ranges.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/libc/files.h"
#include "targets/runtime/libc/output.h"
#include "targets/runtime/libc/random.h"
#include "targets/runtime/sync/clock.h"
#include "targets/runtime/sync/futex.h"
#include "targets/runtime/sync/pending_signals.h"

enum { ARGUMENTS = 6 };

/* Accesses are sequentially consistent already; for the race detector it is a fence. */
static long membarrier(long command, const void *here) {
    if (command == MEMBARRIER_CMD_QUERY) {
        return MEMBARRIER_CMD_GLOBAL | MEMBARRIER_CMD_PRIVATE_EXPEDITED |
               MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED;
    }
    if (command != MEMBARRIER_CMD_GLOBAL && command != MEMBARRIER_CMD_PRIVATE_EXPEDITED &&
        command != MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) {
        heddle_unsupported("membarrier with this command", here);
    }
    if (runtime.versions && command != MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) {
        heddle_unsupported("membarrier, a fence of all threads, under a weak memory model", here);
    }
    race_fence(runtime.current, __ATOMIC_SEQ_CST);
    return 0;
}

_Noreturn static void refuse(long number, const void *here) {
    char name[32];
    snprintf(name, sizeof name, "syscall number %ld", number);
    heddle_unsupported(name, here);
}

/* A descriptor, or a number of bytes. Their places are those of the call. */
static long call_on_files(long number, const long *a, const void *here) {
    switch (number) {
#ifdef SYS_open
        case SYS_open:
            return files_open_path("open", (const char *)a[0], (int)a[1], (unsigned)a[2], here);
#endif
        case SYS_openat:
            if ((int)a[0] != AT_FDCWD && *(const char *)a[1] != '/') {
                heddle_unsupported("openat relative to a directory", here);
            }
            return files_open_path("openat", (const char *)a[1], (int)a[2], (unsigned)a[3], here);
        case SYS_read: return files_read((int)a[0], (void *)a[1], (size_t)a[2], here);
        case SYS_write: return output_write_from((int)a[0], (const void *)a[1], (size_t)a[2], here);
        case SYS_close: return files_close((int)a[0], here);
        default: refuse(number, here);
    }
}

long heddle_syscall(long number, ...) {
    const void *here = HERE;
    long a[ARGUMENTS];
    va_list list;
    va_start(list, number);
    for (int i = 0; i < ARGUMENTS; i++) {
        a[i] = va_arg(list, long);
    }
    va_end(list);
    switch (number) {
        case SYS_futex:
            return futex_call((uint32_t *)a[0], (int)a[1], (uint32_t)a[2],
                              (const struct timespec *)a[3], (uint32_t)a[5], here);
        case SYS_membarrier: return membarrier(a[0], here);
        case SYS_gettid: return heddle_gettid();
        case SYS_getpid: return heddle_getpid();
        case SYS_tgkill: return pending_signals_send((pid_t)a[0], (pid_t)a[1], (int)a[2], here);
        case SYS_clock_gettime: return clock_give((clockid_t)a[0], (struct timespec *)a[1], here);
        case SYS_sched_yield: return heddle_sched_yield();
        case SYS_getrandom: random_fill((void *)a[0], (size_t)a[1], here); return a[1];
        default: return call_on_files(number, a, here);
    }
}
