/* A step that varies is reversed only where it conflicts in its old place. */
#define MUTANT(name) context_types_kept_##name
#include "oracle/mutants/search.h"

#define strategy_context context_types_kept_original
#include "dpor/context/context.c"
#include "dpor/context/normal_form.c"
#include "dpor/context/normal_form_parts.c"
#include "dpor/search.c"
#include "dpor/search_sleep.c"

static const search_rule broken_rule = {
    SEARCH_SLEEP_RULE,
    .allows = is_allowed,
    .consider = search_consider,
    .reverse = normal_form_reverse,
};

static void broken_init(strategy *s) {
    context_init(s);
    ((search *)s)->rule = &broken_rule;
}

extern const strategy_class mutant_context_types_kept;
const strategy_class mutant_context_types_kept = {
    .name = "context",
    .init = broken_init,
    NORMAL_FORM_STRATEGY,
};
