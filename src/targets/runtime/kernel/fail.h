/* How functions of libc and POSIX fail: the reason is in errno. */
#ifndef HEDDLE_TARGETS_RUNTIME_KERNEL_FAIL_H
#define HEDDLE_TARGETS_RUNTIME_KERNEL_FAIL_H

#include <errno.h>

/* Returns -1. */
static inline int fail_with(int error) {
    errno = error;
    return -1;
}

#endif
