/* A graph as a schedule. Its steps are taken in the order in which its events were added, except
 * that what a read reads comes before it. If one graph was made from another, both begin with the
 * same steps, which need not be taken again.
 *
 * The target keeps every write, in coherence order as far as it has seen them (target.h,
 * keep_versions); which of them a step reads, or comes after, is its choice. */
#include <string.h>

#include "dpor/graph/graph.h"

uint32_t graph_newer(const graph *g, uint32_t location, uint32_t write) {
    const graph_list *writes = &vector_at(&g->locations, location).writes;
    CHECK(graph_position(g, write) < writes->count);
    return writes->count - 1 - graph_position(g, write);
}

/* The same among the writes that were executed. */
static uint32_t executed_newer(const graph *g, uint32_t location, uint32_t write) {
    const graph_list *writes = &vector_at(&g->locations, location).writes;
    uint32_t count = 0;
    for (uint32_t i = graph_position(g, write) + 1; i < writes->count; i++) {
        count += vector_at(&g->scratch->seen, vector_at(writes, i));
    }
    return count;
}

/* The write of a read-modify-write, or GRAPH_NONE. */
static uint32_t write_of(const graph *g, const graph_event *e) {
    const graph_list *own = &vector_at(&g->threads, e->thread);
    return e->index + 1 < own->count ? vector_at(own, e->index + 1) : GRAPH_NONE;
}

static uint32_t choice_of(const graph *g, uint32_t id) {
    const graph_event *e = graph_at(g, id);
    switch ((enum graph_kind)e->kind) {
        case GRAPH_READ:
            return graph_signals(e) ? e->choice : executed_newer(g, e->location, e->source);
        case GRAPH_WRITE: return executed_newer(g, e->location, id);
        default: return e->choice;
    }
}

static void execute(const graph *g, uint32_t id, graph_steps *steps) {
    const graph_event *e = graph_at(g, id);
    graph_scratch *s = g->scratch;
    DEBUG_CHECK(!vector_at(&s->seen, id));
    bool second = e->kind == GRAPH_WRITE && e->exclusive;
    uint32_t write = e->kind == GRAPH_READ && e->exclusive ? write_of(g, e) : GRAPH_NONE;
    bool incomplete = e->kind == GRAPH_READ && e->exclusive && write == GRAPH_NONE;
    if (!second && !e->blocked && !e->undecided && !incomplete) {
        vector_push(steps, (step){e->thread, e->chooses ? choice_of(g, id) : CHOICE_NONE});
    }
    vector_at(&s->seen, id) = true;
    if (write != GRAPH_NONE) {
        vector_at(&s->seen, write) = true;
    }
}

/* Something that has to come before the event and was not executed, or GRAPH_NONE. */
static uint32_t missing(const graph *g, uint32_t id) {
    const graph_event *e = graph_at(g, id);
    const graph_scratch *s = g->scratch;
    if (e->index > 0) {
        uint32_t previous = vector_at(&vector_at(&g->threads, e->thread), e->index - 1);
        if (!vector_at(&s->seen, previous)) {
            return previous;
        }
    }
    for (uint32_t i = 0; i < e->cause_count; i++) {
        if (e->causes[i] != GRAPH_NONE && !vector_at(&s->seen, e->causes[i])) {
            return e->causes[i];
        }
    }
    for (uint32_t t = 0; e->last && t < g->threads.count; t++) {
        uint32_t before = graph_before_last(g, id, t);
        if (before != GRAPH_NONE && !vector_at(&s->seen, before)) {
            return before;
        }
    }
    bool reads = e->kind == GRAPH_READ && e->source != GRAPH_INITIAL;
    return reads && !vector_at(&s->seen, e->source) ? e->source : GRAPH_NONE;
}

static void forget_order(const graph *g) {
    graph_scratch *s = g->scratch;
    vector_resize(&s->seen, graph_length(g));
    memset(s->seen.items, 0, s->seen.count * sizeof *s->seen.items);
}

void graph_predecessors(const graph *g, uint32_t id, graph_list *found) {
    uint32_t before;
    vector_clear(found);
    forget_order(g);
    while ((before = missing(g, id)) != GRAPH_NONE) {
        vector_at(&g->scratch->seen, before) = true;
        vector_push(found, before);
    }
}

void graph_arrange(const graph *g, const graph_list *ids, graph_steps *steps) {
    vector_clear(steps);
    forget_order(g);
    for (uint32_t i = 0; i < ids->count; i++) {
        CHECK(missing(g, vector_at(ids, i)) == GRAPH_NONE);
        execute(g, vector_at(ids, i), steps);
    }
}

void graph_linearise(const graph *g, uint32_t last, graph_steps *steps) {
    graph_scratch *s = g->scratch;
    vector_clear(steps);
    vector_clear(&s->stack);
    forget_order(g);
    for (uint32_t next = 0; next < graph_length(g); next++) {
        if (next != last) {
            vector_push(&s->stack, next);
        }
        while (s->stack.count) {
            uint32_t id = vector_last(&s->stack);
            uint32_t before = vector_at(&s->seen, id) ? GRAPH_NONE : missing(g, id);
            if (before != GRAPH_NONE) {
                CHECK(s->stack.count <= graph_length(g)); /* what comes before has no cycle */
                vector_push(&s->stack, before);
                continue;
            }
            if (!vector_at(&s->seen, id)) {
                execute(g, id, steps);
            }
            s->stack.count--;
        }
    }
    if (last != GRAPH_NONE && !vector_at(&s->seen, last)) {
        execute(g, last, steps);
    }
}
