/* No reduction: every interleaving, each once. For comparison and for small programs. */
#include "dpor/backtracking.h"

static strategy *none_create(exploration *x) {
    (void)x;
    return backtracking_create(NULL);
}

extern const strategy_class strategy_none;
const strategy_class strategy_none = {
    .name = "none",
    .summary = "all interleavings, without any reduction",
    .exhaustive = true,
    .fine = true,
    .create = none_create,
    .destroy = backtracking_destroy,
    .choose = backtracking_choose,
    .stepped = backtracking_stepped,
    .ended = backtracking_ended,
    .backtrack = backtracking_backtrack,
};
