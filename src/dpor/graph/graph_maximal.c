/* Which events may be removed for a revisit: those that took the latest write, so that of all
 * graphs that differ in what is removed, only one makes the revisit (TruSt, POPL 2022, section 4.2:
 * maximal extensions). */
#include "dpor/graph/graph.h"

/* A write that is later in coherence order comes before the latest event. */
static bool has_newer_before(const graph *g, uint32_t location, uint32_t write,
                             const uint32_t *clock) {
    const graph_list *writes = &vector_at(&g->locations, location).writes;
    for (uint32_t i = graph_position(g, write) + 1; i < writes->count; i++) {
        uint32_t newer = vector_at(writes, i);
        if (newer != graph_length(g) - 1 && graph_counts(g, clock, newer)) {
            return true;
        }
    }
    return false;
}

/* For example, the destruction of a locked mutex, which is an error, does not come first: it has
 * read the lock of another thread, and the mutex is free before that lock. */
bool graph_gives_way(const graph_event *lock, const graph_event *write) {
    return write->exclusive && write->source == lock->source;
}

bool graph_may_remove(const graph *g, uint32_t id, const uint32_t *before_write) {
    const graph_event *e = graph_at(g, id);
    DEBUG_CHECK(!graph_counts(g, before_write, id));
    if (e->frozen || !e->maximal) {
        return false;
    }
    bool access = e->kind == GRAPH_READ || e->kind == GRAPH_WRITE;
    return !access ||
           !has_newer_before(g, e->location, e->kind == GRAPH_READ ? e->source : id, before_write);
}
