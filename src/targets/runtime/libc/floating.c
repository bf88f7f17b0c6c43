#define _GNU_SOURCE
/* The floating-point environment is the thread's own (fiber.h). What the functions of <fenv.h>
 * store and fetch by pointer is announced; all that is special is that from the first call on
 * fibers have environments of their own. */
#include "targets/runtime/libc/floating.h"
#include "targets/runtime/kernel/ranges.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/memory/space.h"

void floating_separate(void) {
    if (!fiber_environments) {
        fiber_usual_environment(&runtime.scheduler);
        fiber_environments = true;
        target_make_stale(space.target);
    }
}

#define ON_EXCEPTIONS(name)             \
    int heddle_##name(int exceptions) { \
        floating_separate();            \
        return name(exceptions);        \
    }

ON_EXCEPTIONS(feclearexcept)
ON_EXCEPTIONS(feraiseexcept)
ON_EXCEPTIONS(fetestexcept)
ON_EXCEPTIONS(feenableexcept)
ON_EXCEPTIONS(fedisableexcept)
ON_EXCEPTIONS(fesetround)
#undef ON_EXCEPTIONS

int heddle_fegetround(void) {
    floating_separate();
    return fegetround();
}

int heddle_fegetexcept(void) {
    floating_separate();
    return fegetexcept();
}

/* To a copy first, because announcing may take long. */
#define STORES(name, type)            \
    int heddle_##name(type *to) {     \
        type copy;                    \
        floating_separate();          \
        int result = name(&copy);     \
        writes(to, sizeof *to, HERE); \
        *to = copy;                   \
        return result;                \
    }

#define FETCHES(name, type)                  \
    int heddle_##name(const type *from) {    \
        floating_separate();                 \
        if (from != FE_DFL_ENV) {            \
            reads(from, sizeof *from, HERE); \
        }                                    \
        return name(from);                   \
    }

STORES(fegetenv, fenv_t)
STORES(feholdexcept, fenv_t)
FETCHES(fesetenv, fenv_t)
FETCHES(feupdateenv, fenv_t)
#undef STORES
#undef FETCHES
