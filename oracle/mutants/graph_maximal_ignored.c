/* Events that read something old are removed as well. */
#define MUTANT(name) graph_maximal_ignored_##name
#include "oracle/mutants/graph.h"

#include "oracle/mutants/graph_parts.h"

BROKEN bool broken(const graph *g, uint32_t id, const uint32_t *before) {
    graph_event *e = graph_at(g, id);
    bool maximal = e->maximal;
    e->maximal = true;
    bool may = graph_may_remove(g, id, before);
    e->maximal = maximal;
    return may;
}

#undef graph_may_remove
#define graph_may_remove broken
#define strategy_graph   mutant_graph_maximal_ignored
#include "oracle/mutants/graph_middle.h"

#include "oracle/mutants/graph_rest.h"
