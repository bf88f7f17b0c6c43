/* <fenv.h> for the program under test. */
#ifndef HEDDLE_TARGETS_RUNTIME_LIBC_FLOATING_H
#define HEDDLE_TARGETS_RUNTIME_LIBC_FLOATING_H

#include "targets/runtime/kernel/fiber.h"

/* Fibers get environments of their own. Threads that ran before had one together: the exploration
 * starts over. */
void floating_separate(void);

/* Before an execution: has the program changed the environment by other means? */
static inline void floating_check(void) {
    if (__builtin_expect(fiber_environment_changed(), 0)) {
        fiber_reset_environment();
        floating_separate();
    }
}

#endif
