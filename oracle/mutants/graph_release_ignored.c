/* Release writes and fences release nothing. */
#define MUTANT(name) graph_release_ignored_##name
#include "oracle/mutants/graph.h"

#include "oracle/mutants/graph_parts.h"

BROKEN bool broken(const graph *g, const graph_event *e) {
    return g->model != MODEL_RC11 && graph_releases(g, e);
}

#undef graph_releases
#define graph_releases broken
#define strategy_graph mutant_graph_release_ignored
#include "oracle/mutants/graph_middle.h"

#include "oracle/mutants/graph_rest.h"
