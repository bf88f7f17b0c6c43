/* No order of all accesses is asked for (SC, TSO). */
#define MUTANT(name) graph_cycles_allowed_##name
#include "oracle/mutants/graph.h"

#include "oracle/mutants/graph_parts.h"

BROKEN bool broken(const graph *g, uint32_t first, uint32_t second, uint32_t next) {
    (void)g, (void)first, (void)second, (void)next;
    return true;
}

#undef graph_is_ordered
#define graph_is_ordered broken
#define strategy_graph   mutant_graph_cycles_allowed
#include "oracle/mutants/graph_middle.h"

#include "oracle/mutants/graph_rest.h"
