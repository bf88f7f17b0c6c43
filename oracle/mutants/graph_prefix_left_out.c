/* What comes before the write is not looked at (Previous without P). */
#define MUTANT(name) graph_prefix_left_out_##name
#include "oracle/mutants/graph.h"

#include "oracle/mutants/graph_parts.h"

BROKEN bool broken(const graph *g, uint32_t id, const uint32_t *before) {
    (void)before;
    return !graph_at(g, id)->frozen && graph_at(g, id)->maximal;
}

#undef graph_may_remove
#define graph_may_remove broken
#define strategy_graph   mutant_graph_prefix_left_out
#include "oracle/mutants/graph_middle.h"

#include "oracle/mutants/graph_rest.h"
