#include "dpor/registry.h"

#include <stddef.h>
#include <string.h>

extern const strategy_class strategy_pop;
extern const strategy_class strategy_optimal;
extern const strategy_class strategy_observers;
extern const strategy_class strategy_context;
extern const strategy_class strategy_context_observers;
extern const strategy_class strategy_context_source;
extern const strategy_class strategy_published_context;
extern const strategy_class strategy_published_context_observers;
extern const strategy_class strategy_graph;
extern const strategy_class strategy_source;
extern const strategy_class strategy_classic;
extern const strategy_class strategy_none;

// clang-format off
const strategy_class *const strategy_registry[] = {
    &strategy_pop,
    &strategy_optimal,
    &strategy_observers,
    &strategy_context,
    &strategy_context_observers,
    &strategy_context_source,
    &strategy_source,
    &strategy_classic,
    &strategy_none,
    &strategy_graph,
    &strategy_published_context,
    &strategy_published_context_observers,
    NULL,
};
// clang-format on

const strategy_class *strategy_find(const char *name) {
    for (const strategy_class *const *s = strategy_registry; *s; s++) {
        if (strcmp((*s)->name, name) == 0) {
            return *s;
        }
    }
    return NULL;
}
