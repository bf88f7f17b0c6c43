/* A read in a spin loop continues whatever write comes that it may read. */
#define MUTANT(name) graph_spins_leave_##name
#include "oracle/mutants/graph.h"

#include "oracle/mutants/graph_parts.h"

#include "oracle/mutants/graph_middle.h"

#include "dpor/graph/graph_extension.c"

BROKEN void broken(graph *g, uint32_t read, uint32_t source) {
    graph_read_from(g, read, source);
    graph_at(g, read)->undecided = graph_at(g, read)->spins = false;
}

#undef graph_read_from
#define graph_read_from broken
#define strategy_graph  mutant_graph_spins_leave
#include "dpor/graph/graph_search.c"
#include "dpor/graph/graph_strategy.c"
