/* A lock that waits forever could not have come first. */
#define MUTANT(name) graph_waiting_locks_lost_##name
#include "oracle/mutants/graph.h"

#include "oracle/mutants/graph_parts.h"

#include "oracle/mutants/graph_middle.h"

#include "dpor/graph/graph_extension.c"

BROKEN void broken(graph_search *s, uint32_t thread, const operation *op) {
    (void)s, (void)thread, (void)op;
}

#undef graph_search_try_lock
#define graph_search_try_lock broken
#define strategy_graph        mutant_graph_waiting_locks_lost
#include "dpor/graph/graph_search.c"
#include "dpor/graph/graph_strategy.c"
