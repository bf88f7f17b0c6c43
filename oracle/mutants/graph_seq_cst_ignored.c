/* Seq_cst means acquire and release (RC11). */
#define MUTANT(name) graph_seq_cst_ignored_##name
#include "oracle/mutants/graph.h"

#include "oracle/mutants/graph_parts.h"

BROKEN bool broken(const graph *g) {
    (void)g;
    return true;
}

#undef graph_is_sequenced
#define graph_is_sequenced broken
#define strategy_graph     mutant_graph_seq_cst_ignored
#include "oracle/mutants/graph_middle.h"

#include "oracle/mutants/graph_rest.h"
