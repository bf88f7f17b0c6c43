/* What was read before does not matter for coherence. */
#define MUTANT(name) graph_readers_forgotten_##name
#include "oracle/mutants/graph.h"

#include "oracle/mutants/graph_parts.h"

BROKEN uint32_t broken(const graph *g, uint32_t location, const uint32_t *clock) {
    const graph_list *writes = &vector_at(&g->locations, location).writes;
    uint32_t lowest = writes->count - 1;
    while (lowest > 0 && !graph_counts(g, clock, vector_at(writes, lowest))) {
        lowest--;
    }
    return lowest;
}

#undef graph_lowest
#define graph_lowest   broken
#define strategy_graph mutant_graph_readers_forgotten
#include "oracle/mutants/graph_middle.h"

#include "oracle/mutants/graph_rest.h"
