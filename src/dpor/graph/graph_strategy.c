/* The strategy graph: all execution graphs that a memory model allows. */
#include "dpor/graph/graph_search.h"

const strategy_class strategy_graph = {
    .name = "graph",
    .summary = "execution graphs (TruSt): one for each graph that --model allows",
    .versions = true,
    .size = sizeof(graph_search),
    .init = graph_search_init,
    .free = graph_search_free,
    .choose = graph_search_choose,
    .stepped = graph_search_stepped,
    .ended = graph_search_ended,
    .backtrack = graph_search_backtrack,
    .given = &graph_given,
};
