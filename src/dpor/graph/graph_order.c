/* Sequential consistency and TSO: program order (on TSO without that of a write and a later read,
 * unless something between them waits until the write is visible), reads-from, coherence and
 * from-reads have no cycle. On TSO a thread may read its own writes early, so that reads-from
 * within a thread orders nothing.
 *
 * A change at the end of a graph makes new edges at one or two events only, so a new cycle goes
 * through one of them, and leaves it for the write that is next in coherence order. A backward
 * search decides whether that write comes before them. */
#include <string.h>

#include "dpor/graph/graph.h"

static void visit(const graph *g, uint32_t id) {
    graph_scratch *s = g->scratch;
    if (id != GRAPH_NONE && id != GRAPH_INITIAL && !vector_at(&s->seen, id)) {
        vector_at(&s->seen, id) = true;
        vector_push(&s->stack, id);
    }
}

/* It may take effect before writes that come before it are visible: a read, or what orders reads.
 */
static bool overtakes(const graph *g, const graph_event *e) {
    return g->model == MODEL_TSO && e->kind != GRAPH_WRITE && !graph_drains(e);
}

/* The events of a thread before its event `index`. If an event that orders everything before it was
 * visited, its predecessors are known. */
static void visit_all(const graph *g, uint32_t thread, uint32_t index) {
    const graph_list *own = &vector_at(&g->threads, thread);
    while (index-- > 0) {
        uint32_t id = vector_at(own, index);
        bool known = vector_at(&g->scratch->seen, id) && !overtakes(g, graph_at(g, id));
        visit(g, id);
        if (known) {
            return;
        }
    }
}

/* All events of other threads that come before one that comes last. */
static void visit_others(const graph *g, const graph_event *e) {
    uint32_t id = vector_at(&vector_at(&g->threads, e->thread), e->index);
    for (uint32_t t = 0; t < g->threads.count; t++) {
        uint32_t before = graph_before_last(g, id, t);
        if (before != GRAPH_NONE) {
            visit_all(g, t, graph_at(g, before)->index + 1);
        }
    }
}

/* What the event waits for in other threads: its creation, the ends of those that it joins. */
static void visit_causes(const graph *g, const graph_event *e) {
    if (e->last) {
        visit_others(g, e);
    }
    for (uint32_t i = 0; i < e->cause_count; i++) {
        if (e->causes[i] != GRAPH_NONE) {
            const graph_event *cause = graph_at(g, e->causes[i]);
            visit_all(g, cause->thread, cause->index + 1);
        }
    }
}

/* On TSO a read comes after the earlier reads of its thread, the earlier writes that are visible by
 * then, and the causes of the writes that it overtakes. */
static void visit_reads(const graph *g, const graph_event *e) {
    const graph_list *own = &vector_at(&g->threads, e->thread);
    for (uint32_t index = e->index; index-- > e->drained;) {
        uint32_t id = vector_at(own, index);
        if (graph_at(g, id)->kind == GRAPH_WRITE) {
            visit_causes(g, graph_at(g, id));
        } else {
            visit(g, id);
        }
    }
    visit_all(g, e->thread, e->drained);
}

static void visit_program_order(const graph *g, const graph_event *e) {
    if (overtakes(g, e)) {
        visit_reads(g, e);
    } else {
        visit_all(g, e->thread, e->index);
    }
    visit_causes(g, e);
}

/* The write before in coherence order, and who reads that. */
static void visit_coherence(const graph *g, const graph_event *e) {
    const graph_location *l = &vector_at(&g->locations, e->location);
    DEBUG_CHECK(e->position && e->position < l->writes.count);
    uint32_t before = vector_at(&l->writes, e->position - 1);
    visit(g, before);
    for (uint32_t i = 0; i < l->reads.count; i++) {
        uint32_t read = vector_at(&l->reads, i);
        if (graph_at(g, read)->source == before) {
            visit(g, read);
        }
    }
}

static void visit_source(const graph *g, const graph_event *e) {
    bool own = e->source != GRAPH_INITIAL && graph_at(g, e->source)->thread == e->thread;
    if (g->model == MODEL_SC || !own) {
        visit(g, e->source);
    }
}

bool graph_is_ordered(const graph *g, uint32_t first, uint32_t second, uint32_t next) {
    graph_scratch *s = g->scratch;
    if (next == GRAPH_NONE) {
        return true;
    }
    CHECK(next < graph_length(g) && (first != GRAPH_NONE || second != GRAPH_NONE));
    vector_resize(&s->seen, graph_length(g));
    memset(s->seen.items, 0, s->seen.count * sizeof *s->seen.items);
    vector_clear(&s->stack);
    visit(g, first);
    visit(g, second);
    while (s->stack.count && !vector_at(&s->seen, next)) {
        uint32_t id = vector_pop(&s->stack);
        const graph_event *e = graph_at(g, id);
        visit_program_order(g, e);
        if (e->kind == GRAPH_READ) {
            visit_source(g, e);
        } else if (e->kind == GRAPH_WRITE) {
            visit_coherence(g, e);
        }
    }
    return !vector_at(&s->seen, next);
}
