/* No read-modify-write reads what another one read. */
#define MUTANT(name) graph_update_taken_##name
#include "oracle/mutants/graph.h"

#include "oracle/mutants/graph_parts.h"

BROKEN bool broken(const graph *g, uint32_t location, uint32_t write, const uint32_t *clock) {
    const graph_list *reads = &vector_at(&g->locations, location).reads;
    (void)clock;
    for (uint32_t i = 0; i < reads->count; i++) {
        const graph_event *e = graph_at(g, vector_at(reads, i));
        if (e->source == write && e->exclusive) {
            return true;
        }
    }
    return false;
}

#undef graph_is_taken
#define graph_is_taken broken
#define strategy_graph mutant_graph_update_taken
#include "oracle/mutants/graph_middle.h"

#include "oracle/mutants/graph_rest.h"
