/* Acquire fences acquire nothing. */
#define MUTANT(name) graph_acquire_ignored_##name
#include "oracle/mutants/graph.h"

#include "oracle/mutants/graph_parts.h"

BROKEN bool broken(const graph *g, const graph_event *e) {
    return e->kind != GRAPH_FENCE && graph_acquires(g, e);
}

#undef graph_acquires
#define graph_acquires broken
#define strategy_graph mutant_graph_acquire_ignored
#include "oracle/mutants/graph_middle.h"

#include "oracle/mutants/graph_rest.h"
