/* A lock that polls is not asked again when it comes. */
#define MUTANT(name) graph_polls_unasked_##name
#include "oracle/mutants/graph.h"

#include "oracle/mutants/graph_parts.h"

#include "oracle/mutants/graph_middle.h"

#include "dpor/graph/graph_extension.c"
#include "dpor/graph/graph_search.c"

BROKEN enum decision broken(strategy *base, step *next) {
    of(base)->asked = GRAPH_NONE;
    return graph_search_choose(base, next);
}

#undef graph_search_choose
#define graph_search_choose broken
#define strategy_graph      mutant_graph_polls_unasked
#include "dpor/graph/graph_strategy.c"
