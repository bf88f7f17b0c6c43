/* The second part: graph_parts.h. */
#include "dpor/graph/graph_clocks.c"
#include "dpor/graph/graph_revisits.c"
#include "dpor/graph/graph_schedule.c"
