/* The third part: graph_parts.h. */
#include "dpor/graph/graph_extension.c"
#include "dpor/graph/graph_search.c"
#include "dpor/graph/graph_strategy.c"
