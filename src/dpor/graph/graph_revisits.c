/* A write that comes late may be read by a read that was added before it. What came after the read,
 * and not before the write, is then removed and added again. So that every graph is reached once,
 * this is done from only one of the graphs that differ in what is removed: the one in which each
 * removed event has read, or was, the latest write (TruSt, POPL 2022, section 4: maximal
 * extensions). */
#include <string.h>

#include "dpor/graph/graph.h"

/* A later unlock never lets a lock through: the lock waits, or is removed. */
static bool may_be_read_by(const graph_event *write, const graph_event *read) {
    return read->kind == GRAPH_READ && read->location == write->location &&
           (!graph_takes(read->operation) || graph_gives_way(read, write));
}

/* The oldest event that may read the write and is not before it, or the write itself: what is older
 * need not be visited. Most writes of long executions are to memory that no other thread reads. */
static uint32_t oldest_reader(const graph *g, uint32_t write, const uint32_t *before) {
    uint32_t oldest = write;
    for (uint32_t t = 0; t < g->threads.count; t++) {
        const graph_list *own = &vector_at(&g->threads, t);
        for (uint32_t i = before[t]; i < own->count && vector_at(own, i) < oldest; i++) {
            if (may_be_read_by(graph_at(g, write), graph_at(g, vector_at(own, i)))) {
                oldest = vector_at(own, i);
            }
        }
    }
    return oldest;
}

void graph_find_revisits(const graph *g, graph_list *reads) {
    uint32_t write = graph_length(g) - 1;
    const uint32_t *before = graph_clock(g, write, CLOCK_CAUSAL);
    CHECK(graph_at(g, write)->kind == GRAPH_WRITE);
    vector_clear(reads);
    uint32_t oldest = oldest_reader(g, write, before);
    for (uint32_t id = write; id-- > oldest;) {
        if (graph_counts(g, before, id)) {
            continue;
        }
        if (!graph_may_remove(g, id, before)) {
            return;
        }
        if (may_be_read_by(graph_at(g, write), graph_at(g, id))) {
            vector_push(reads, id);
        }
    }
}

uint32_t graph_revisit(graph *to, const graph *from, uint32_t read, graph_list *numbers) {
    uint32_t length = graph_length(from), write = length - 1;
    const uint32_t *before = graph_clock(from, write, CLOCK_CAUSAL);
    bool removed = graph_takes(graph_at(from, read)->operation);
    CHECK(read < write && !graph_counts(from, before, read));
    graph_scratch *s = from->scratch;
    vector_resize(&s->seen, length);
    for (uint32_t id = 0; id < length; id++) {
        vector_at(&s->seen, id) =
            id < read || (id == read && !removed) || id == write || graph_counts(from, before, id);
    }
    graph_copy(to, from, s->seen.items, numbers);
    for (uint32_t id = 0; id < length; id++) {
        if (graph_counts(from, before, id)) {
            graph_at(to, vector_at(numbers, id))->frozen = true;
        }
    }
    return vector_at(numbers, read);
}

bool graph_is_consistent(const graph *g, uint32_t read, uint32_t write) {
    switch (g->model) {
        case MODEL_SC:
        case MODEL_TSO: {
            uint32_t of = write == GRAPH_NONE ? graph_at(g, read)->source : write;
            uint32_t location = graph_at(g, write == GRAPH_NONE ? read : write)->location;
            return graph_is_ordered(g, read, write, graph_next_write(g, location, of));
        }
        case MODEL_RC11: return !g->sequential || graph_is_sequenced(g);
        default: return true;
    }
}
