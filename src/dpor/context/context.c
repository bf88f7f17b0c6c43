/* Context-sensitive optimal-DPOR (after ISSTA 2019): executions in normal form, by wakeup trees. */
#include "dpor/context/normal_form.h"

static const normal_form_plan wakeup_trees = {search_is_redundant, search_insert};

static void context_init(strategy *s) {
    normal_form_init(s, &wakeup_trees);
}

extern const strategy_class strategy_context;
const strategy_class strategy_context = {
    .name = "context",
    .summary = "context-sensitive optimal-DPOR: every final state, not every trace",
    .init = context_init,
    NORMAL_FORM_STRATEGY,
};
