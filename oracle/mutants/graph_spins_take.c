/* A read-modify-write that waits in a spin loop takes what it has read. */
#define MUTANT(name) graph_spins_take_##name
#include "oracle/mutants/graph.h"

#include "oracle/mutants/graph_parts.h"

BROKEN void broken(graph *g, uint32_t read, bool blocked) {
    graph_event *e = graph_at(g, read);
    e->undecided = false;
    e->blocked = blocked;
}

#undef graph_decide
#define graph_decide   broken
#define strategy_graph mutant_graph_spins_take
#include "oracle/mutants/graph_middle.h"

#include "oracle/mutants/graph_rest.h"
