/* The read that is revisited need not be maximal. */
#define MUTANT(name) graph_read_not_tested_##name
#include "oracle/mutants/graph.h"

#include "oracle/mutants/graph_parts.h"

#include "oracle/mutants/graph_middle.h"

BROKEN void broken(const graph *g, graph_list *reads) {
    uint32_t write = graph_length(g) - 1;
    const uint32_t *before = graph_clock(g, write, CLOCK_CAUSAL);
    vector_clear(reads);
    for (uint32_t id = write; id-- > 0;) {
        if (!graph_counts(g, before, id)) {
            if (may_be_read_by(graph_at(g, write), graph_at(g, id)) && !graph_at(g, id)->frozen) {
                vector_push(reads, id);
            }
            if (!graph_may_remove(g, id, before)) {
                return;
            }
        }
    }
}

#undef graph_find_revisits
#define graph_find_revisits broken
#define strategy_graph      mutant_graph_read_not_tested
#include "oracle/mutants/graph_rest.h"
