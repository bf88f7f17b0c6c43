/* No reduction: every interleaving, each once. For comparison and for small programs. */
#include "dpor/backtracking.h"

static void none_init(strategy *s) {
    backtracking_init((backtracking *)s, NULL);
}

extern const strategy_class strategy_none;
const strategy_class strategy_none = {
    .name = "none",
    .summary = "all interleavings, without any reduction",
    .exhaustive = true,
    .fine = true,
    .init = none_init,
    BACKTRACKING_STRATEGY,
};
