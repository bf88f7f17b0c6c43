/* Optimal-DPOR with observers: TACAS 2018, Algorithm 1, with nothing beyond observed_search.h. */
#include "dpor/observers/observed_search.h"

/* Line 10. */
static void reverse_race(search *s, uint32_t thread, const operation *op, uint32_t second) {
    (void)second;
    for (uint32_t i = 0; i < operation_alternatives(op); i++) {
        observed_search_try_last((observed_search *)s, thread, operation_choice(op, i),
                                 op->footprint);
    }
}

static const search_rule observers_rule = {
    OBSERVED_SEARCH_RULE,
    .descend = observed_search_descend,
    .ascend = observed_search_ascend,
    .start = observed_search_start,
    .reverse = reverse_race,
};

static void observers_init(strategy *s) {
    observed_search_init((observed_search *)s, &observers_rule, observed_search_insert);
}

static void observers_free(strategy *s) {
    observed_search_free((observed_search *)s);
}

extern const strategy_class strategy_observers;
const strategy_class strategy_observers = {
    .name = "observers",
    .summary = "optimal-DPOR with observers: writes are ordered only if observed (TACAS 2018)",
    .fallback = "optimal",
    .observes = true,
    .unsuited = "an atomic section makes a choice",
    .size = sizeof(observed_search),
    .init = observers_init,
    .free = observers_free,
    SEARCH_STRATEGY,
    .ended = observed_search_ended,
};
