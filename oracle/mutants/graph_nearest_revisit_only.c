/* A write is read by the youngest read alone. */
#define MUTANT(name) graph_nearest_revisit_only_##name
#include "oracle/mutants/graph.h"

#include "oracle/mutants/graph_parts.h"

#include "oracle/mutants/graph_middle.h"

BROKEN void broken(const graph *g, graph_list *reads) {
    graph_find_revisits(g, reads);
    reads->count = reads->count > 1 ? 1 : reads->count;
}

#undef graph_find_revisits
#define graph_find_revisits broken
#define strategy_graph      mutant_graph_nearest_revisit_only
#include "oracle/mutants/graph_rest.h"
