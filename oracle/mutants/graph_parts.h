/* For mutants of the strategy graph, in three parts: what is replaced is defined in one of them and
 * used in a later one. */
#include "dpor/graph/graph.c"
#include "dpor/graph/graph_coherence.c"
#include "dpor/graph/graph_maximal.c"
#include "dpor/graph/graph_operation.c"
#include "dpor/graph/graph_order.c"
#include "dpor/graph/graph_sequential.c"
