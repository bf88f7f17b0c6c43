/* <fenv.h> for the program under test. */
#ifndef HEDDLE_RUNTIME_FLOATING_H
#define HEDDLE_RUNTIME_FLOATING_H

#include <fenv.h>

#include "runtime/fiber.h"

// clang-format off
#define RUNTIME_FLOATING_SYMBOLS(X) \
    X(feclearexcept) X(feraiseexcept) X(fetestexcept) X(feenableexcept) X(fedisableexcept) \
    X(fesetround) X(fegetround) X(fegetexcept) X(fegetenv) X(feholdexcept) X(fesetenv) \
    X(feupdateenv)
// clang-format on

int heddle_feclearexcept(int);
int heddle_feraiseexcept(int);
int heddle_fetestexcept(int);
int heddle_feenableexcept(int);
int heddle_fedisableexcept(int);
int heddle_fesetround(int);
int heddle_fegetround(void);
int heddle_fegetexcept(void);
int heddle_fegetenv(fenv_t *);
int heddle_feholdexcept(fenv_t *);
int heddle_fesetenv(const fenv_t *);
int heddle_feupdateenv(const fenv_t *);

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
