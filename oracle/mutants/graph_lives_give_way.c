/* A lock gives way to every operation of its mutex. */
#define MUTANT(name) graph_lives_give_way_##name
#include "oracle/mutants/graph.h"

#include "oracle/mutants/graph_parts.h"

BROKEN bool broken(const graph_event *lock, const graph_event *write) {
    (void)lock;
    return write->exclusive;
}

#undef graph_gives_way
#define graph_gives_way broken
#define strategy_graph  mutant_graph_lives_give_way
#include "oracle/mutants/graph_middle.h"

#include "oracle/mutants/graph_rest.h"
