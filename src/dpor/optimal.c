/* Optimal-DPOR: JACM 2017, Algorithms 2, 4 and 6. Every step is allowed, and every race is reversed
 * as search.h describes. */
#include "dpor/search_sleep.h"

/* Lines 5-7. */
static void reverse_race(search *s, uint32_t thread, const operation *op, uint32_t second) {
    (void)second;
    for (uint32_t i = 0; i < operation_alternatives(op); i++) {
        reversal_set_last(&s->reversal, thread, operation_choice(op, i), op);
        if (!search_is_redundant(s)) {
            search_insert(s);
        }
    }
}

static const search_rule optimal_rule = {
    SEARCH_SLEEP_RULE,
    .consider = search_consider,
    .reverse = reverse_race,
};

static void optimal_init(strategy *s) {
    search_sleep_init((search_sleep *)s, &optimal_rule);
}

static void optimal_free(strategy *s) {
    search_sleep_free((search_sleep *)s);
}

extern const strategy_class strategy_optimal;
const strategy_class strategy_optimal = {
    .name = "optimal",
    .summary = "optimal-DPOR with wakeup trees: every trace once (JACM 2017, Algorithms 2, 4, 6)",
    .fine = true,
    .size = sizeof(search_sleep),
    .init = optimal_init,
    .free = optimal_free,
    SEARCH_STRATEGY,
    .ended = search_ended,
};
