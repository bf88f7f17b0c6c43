/* What was written before does not matter for coherence. */
#define MUTANT(name) graph_writes_forgotten_##name
#include "oracle/mutants/graph.h"

#include "oracle/mutants/graph_parts.h"

BROKEN uint32_t broken(const graph *g, uint32_t location, const uint32_t *clock) {
    const graph_location *l = &vector_at(&g->locations, location);
    uint32_t lowest = 0;
    for (uint32_t i = 0; i < l->reads.count; i++) {
        uint32_t read = vector_at(&l->reads, i);
        uint32_t position = graph_position(g, graph_at(g, read)->source);
        lowest = position > lowest && graph_counts(g, clock, read) ? position : lowest;
    }
    return lowest;
}

#undef graph_lowest
#define graph_lowest   broken
#define strategy_graph mutant_graph_writes_forgotten
#include "oracle/mutants/graph_middle.h"

#include "oracle/mutants/graph_rest.h"
