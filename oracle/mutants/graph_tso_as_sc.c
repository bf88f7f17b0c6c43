/* On TSO no read comes before an earlier write. */
#define MUTANT(name) graph_tso_as_sc_##name
#include "oracle/mutants/graph.h"

#include "oracle/mutants/graph_parts.h"

BROKEN bool broken(const graph *g, uint32_t first, uint32_t second, uint32_t next) {
    graph strict = *g;
    strict.model = MODEL_SC;
    return graph_is_ordered(&strict, first, second, next);
}

#undef graph_is_ordered
#define graph_is_ordered broken
#define strategy_graph   mutant_graph_tso_as_sc
#include "oracle/mutants/graph_middle.h"

#include "oracle/mutants/graph_rest.h"
