#include "dpor/registry.h"

#include <stddef.h>
#include <string.h>

// clang-format off
#define STRATEGIES(X) \
    X(pop) /* the default */ \
    X(optimal) \
    X(observers) \
    X(context) \
    X(context_observers) \
    X(context_source) \
    X(source) \
    X(classic) \
    X(sleep_sets) \
    X(none) \
    X(graph) \
    X(published_context) \
    X(published_context_observers)
// clang-format on

#define STRATEGY_DECLARATION(name) extern const strategy_class strategy_##name;
STRATEGIES(STRATEGY_DECLARATION)

#define STRATEGY_ENTRY(name) &strategy_##name,
const strategy_class *const strategy_registry[] = {STRATEGIES(STRATEGY_ENTRY) NULL};

const strategy_class *strategy_find(const char *name) {
    for (const strategy_class *const *s = strategy_registry; *s; s++) {
        if (strcmp((*s)->name, name) == 0) {
            return *s;
        }
    }
    return NULL;
}
