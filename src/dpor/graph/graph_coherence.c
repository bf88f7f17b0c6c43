/* The places that an access may have in the coherence order of its location. */
#include "dpor/graph/graph.h"

uint32_t graph_lowest(const graph *g, uint32_t location, const uint32_t *clock) {
    const graph_location *l = &vector_at(&g->locations, location);
    CHECK(l->writes.count && vector_at(&l->writes, 0) == GRAPH_INITIAL);
    uint32_t lowest = l->writes.count - 1;
    while (lowest > 0 && !graph_counts(g, clock, vector_at(&l->writes, lowest))) {
        lowest--;
    }
    for (uint32_t i = 0; i < l->reads.count && lowest < l->writes.count - 1; i++) {
        uint32_t read = vector_at(&l->reads, i);
        uint32_t position = graph_position(g, graph_at(g, read)->source);
        if (position > lowest && graph_counts(g, clock, read)) {
            lowest = position;
        }
    }
    return lowest;
}

bool graph_place_is_free(const graph *g, uint32_t location, uint32_t position) {
    const graph_list *writes = &vector_at(&g->locations, location).writes;
    CHECK(position && position <= writes->count); /* nothing comes before the initial value */
    return position == writes->count || !graph_at(g, vector_at(writes, position))->exclusive;
}

bool graph_is_taken(const graph *g, uint32_t location, uint32_t write, const uint32_t *clock) {
    const graph_list *reads = &vector_at(&g->locations, location).reads;
    for (uint32_t i = 0; i < reads->count; i++) {
        const graph_event *e = graph_at(g, vector_at(reads, i));
        if (e->source == write && e->exclusive &&
            (e->frozen || graph_counts(g, clock, vector_at(reads, i)))) {
            return true;
        }
    }
    return false;
}
