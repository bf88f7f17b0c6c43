/* A write may come between a read-modify-write and what it read. */
#define MUTANT(name) graph_updates_separated_##name
#include "oracle/mutants/graph.h"

#include "oracle/mutants/graph_parts.h"

BROKEN bool broken(const graph *g, uint32_t location, uint32_t position) {
    (void)g, (void)location, (void)position;
    return true;
}

#undef graph_place_is_free
#define graph_place_is_free broken
#define strategy_graph      mutant_graph_updates_separated
#include "oracle/mutants/graph_middle.h"

#include "oracle/mutants/graph_rest.h"
