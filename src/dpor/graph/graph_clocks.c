/* What comes before an event: RC11's happens-before, and causality (program order and reads-from),
 * in vector clocks. Release sequences are those of C++20: only read-modify-writes continue them.
 * */
#include <string.h>

#include "core/clock.h"
#include "dpor/graph/graph.h"

static void join_clock(const graph *g, uint32_t *clock, const uint32_t *other) {
    clock_join(clock, other, g->stride);
}

/* Adds to a read what it gets from the write that it reads; its order decides whether that takes
 * effect at once. */
static void join_source(graph *g, uint32_t id, uint32_t *causal, uint32_t *happens,
                        uint32_t *seen) {
    const graph_event *e = graph_at(g, id);
    if (e->source == GRAPH_INITIAL) {
        return;
    }
    const uint32_t *message = graph_clock(g, e->source, CLOCK_MESSAGE);
    DEBUG_CHECK(graph_at(g, e->source)->kind == GRAPH_WRITE);
    DEBUG_CHECK(graph_at(g, e->source)->location == e->location);
    join_clock(g, causal, graph_clock(g, e->source, CLOCK_CAUSAL));
    join_clock(g, seen, message);
    if (graph_acquires(g, e)) {
        join_clock(g, happens, message);
    }
}

static void start_from(graph *g, uint32_t id) {
    const graph_event *e = graph_at(g, id);
    size_t size = (size_t)CLOCK_COUNT * g->stride * sizeof(uint32_t);
    if (e->index == 0) {
        memset(graph_clock(g, id, 0), 0, size);
        return;
    }
    uint32_t previous = vector_at(&vector_at(&g->threads, e->thread), e->index - 1);
    DEBUG_CHECK(graph_at(g, previous)->thread == e->thread);
    memcpy(graph_clock(g, id, 0), graph_clock(g, previous, 0), size);
}

/* An await that is blocked has not happened. */
static void join_all(graph *g, uint32_t *causal, uint32_t *happens) {
    for (uint32_t t = 0; t < g->threads.count; t++) {
        const graph_list *own = &vector_at(&g->threads, t);
        uint32_t count = own->count;
        count -= count && graph_at(g, vector_at(own, count - 1))->blocked;
        if (count) {
            uint32_t latest = vector_at(own, count - 1);
            join_clock(g, causal, graph_clock(g, latest, CLOCK_CAUSAL));
            join_clock(g, happens, graph_clock(g, latest, CLOCK_HAPPENS));
        }
    }
}

static void join_causes(graph *g, const graph_event *e, uint32_t *causal, uint32_t *happens) {
    bool woken = graph_meaning_of(e->operation)->traits & TRAIT_UNORDERED && g->model == MODEL_RC11;
    CHECK(e->cause_count <= GRAPH_MOST_CAUSES);
    for (uint32_t i = 0; i < e->cause_count; i++) {
        if (e->causes[i] != GRAPH_NONE) {
            join_clock(g, causal, graph_clock(g, e->causes[i], CLOCK_CAUSAL));
            if (!woken) {
                join_clock(g, happens, graph_clock(g, e->causes[i], CLOCK_HAPPENS));
            }
        }
    }
}

static void set_message(graph *g, const graph_event *e, uint32_t *message, const uint32_t *happens,
                        const uint32_t *fence) {
    size_t size = g->stride * sizeof *message;
    memcpy(message, graph_releases(g, e) ? happens : fence, size);
    if (e->exclusive && e->source != GRAPH_INITIAL) {
        join_clock(g, message, graph_clock(g, e->source, CLOCK_MESSAGE));
    }
}

void graph_compute_clocks(graph *g, uint32_t id) {
    const graph_event *e = graph_at(g, id);
    start_from(g, id);
    uint32_t *causal = graph_clock(g, id, CLOCK_CAUSAL);
    uint32_t *happens = graph_clock(g, id, CLOCK_HAPPENS);
    uint32_t *seen = graph_clock(g, id, CLOCK_SEEN);
    uint32_t *fence = graph_clock(g, id, CLOCK_FENCE);
    size_t size = g->stride * sizeof *causal;
    join_causes(g, e, causal, happens);
    if (e->last) {
        join_all(g, causal, happens);
    }
    memcpy(graph_clock(g, id, CLOCK_BEFORE), happens, size);
    if (e->kind == GRAPH_READ) {
        join_source(g, id, causal, happens, seen);
    }
    if (e->kind == GRAPH_FENCE && graph_acquires(g, e)) {
        join_clock(g, happens, seen);
    }
    causal[e->thread] = happens[e->thread] = e->index + 1;
    if (e->kind == GRAPH_FENCE && graph_releases(g, e)) {
        memcpy(fence, happens, size);
    }
    if (e->kind == GRAPH_WRITE) {
        set_message(g, e, graph_clock(g, id, CLOCK_MESSAGE), happens, fence);
    }
}
