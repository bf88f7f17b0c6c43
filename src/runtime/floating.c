#define _GNU_SOURCE
/* The floating-point environment is the thread's own (fiber.h). What the functions of <fenv.h>
 * store and fetch by pointer is announced; all that is special is that from the first call on
 * fibers have environments of their own. */
#include "runtime/floating.h"
#include "runtime/ranges.h"
#include "runtime/space.h"

/* Threads that ran before had one environment together: the exploration starts over. */
static void separate(void) {
    if (unlikely(!fiber_environments)) {
        fiber_usual_environment(&runtime.scheduler);
        fiber_environments = true;
        *space.stale = true;
    }
}

void floating_check(void) {
    if (!fiber_environments && fiber_environment_changed()) {
        separate();
    }
}

#define ON_EXCEPTIONS(name)             \
    int heddle_##name(int exceptions) { \
        separate();                     \
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
    separate();
    return fegetround();
}

int heddle_fegetexcept(void) {
    separate();
    return fegetexcept();
}

/* To a copy first, because announcing may take long. */
#define STORES(name, type)            \
    int heddle_##name(type *to) {     \
        type copy;                    \
        separate();                   \
        int result = name(&copy);     \
        writes(to, sizeof *to, HERE); \
        *to = copy;                   \
        return result;                \
    }

#define FETCHES(name, type)                  \
    int heddle_##name(const type *from) {    \
        separate();                          \
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
