#include "dpor/graph/graph.h"

#include <string.h>

#include "core/clock.h"

/* ---- lists ---- */

static void number_writes(graph *g, const graph_location *l, uint32_t from) {
    for (uint32_t i = from; i < l->writes.count; i++) {
        graph_at(g, vector_at(&l->writes, i))->position = i;
    }
}

static void list_write(graph *g, uint32_t id, uint32_t position) {
    graph_location *l = graph_location_of(g, id);
    CHECK(position > 0);
    vector_insert(&l->writes, position, id);
    number_writes(g, l, position);
}

static void unlist_write(graph *g, uint32_t id) {
    graph_location *l = graph_location_of(g, id);
    uint32_t position = graph_at(g, id)->position;
    CHECK(vector_at(&l->writes, position) == id);
    vector_remove(&l->writes, position, 1);
    number_writes(g, l, position);
}

/* ---- the graph ---- */

static void clear_location(graph_location *l) {
    vector_clear(&l->writes);
    vector_clear(&l->reads);
    vector_push(&l->writes, GRAPH_INITIAL);
}

void graph_clear(graph *g) {
    vector_clear(&g->events);
    vector_clear(&g->clocks);
    for (uint32_t i = 0; i < g->locations.count; i++) {
        clear_location(&vector_at(&g->locations, i));
    }
    for (uint32_t t = 0; t < g->threads.count; t++) {
        vector_clear(&vector_at(&g->threads, t));
    }
    g->sequential = 0;
}

void graph_free(graph *g) {
    for (uint32_t i = 0; i < g->locations.count; i++) {
        vector_free(&vector_at(&g->locations, i).writes);
        vector_free(&vector_at(&g->locations, i).reads);
    }
    for (uint32_t t = 0; t < g->threads.count; t++) {
        vector_free(&vector_at(&g->threads, t));
    }
    vector_free(&g->locations);
    vector_free(&g->threads);
    vector_free(&g->events);
    vector_free(&g->clocks);
}

uint32_t graph_next_write(const graph *g, uint32_t location, uint32_t write) {
    const graph_list *writes = &vector_at(&g->locations, location).writes;
    uint32_t next = graph_position(g, write) + 1;
    return next < writes->count ? vector_at(writes, next) : GRAPH_NONE;
}

uint32_t graph_latest(const graph *g, uint32_t thread) {
    if (thread >= g->threads.count || !vector_at(&g->threads, thread).count) {
        return GRAPH_NONE;
    }
    return vector_last(&vector_at(&g->threads, thread));
}

uint32_t graph_before_last(const graph *g, uint32_t id, uint32_t thread) {
    uint32_t count = graph_clock(g, id, CLOCK_CAUSAL)[thread];
    CHECK(graph_at(g, id)->last);
    bool own = thread == graph_at(g, id)->thread;
    return own || !count ? GRAPH_NONE : vector_at(&vector_at(&g->threads, thread), count - 1);
}

static void add_threads(graph *g, uint32_t thread_count) {
    while (g->threads.count < thread_count) {
        vector_push(&g->threads, (graph_list){0});
    }
}

void graph_widen(graph *g, uint32_t thread_count) {
    add_threads(g, thread_count);
    if (thread_count <= g->stride) {
        return;
    }
    uint32_t wide = clock_stride(thread_count), rows = g->events.count * CLOCK_COUNT;
    vector_resize(&g->clocks, rows * wide);
    lanes_widen(g->clocks.items, rows, g->stride, wide, 0);
    g->stride = wide;
}

/* Locations have the same numbers in all graphs. */
static void add_locations(graph *g) {
    while (g->locations.count < g->scratch->objects.count) {
        vector_push(&g->locations, (graph_location){0});
        clear_location(&vector_last(&g->locations));
    }
}

static uint32_t add_object(graph_scratch *s, uint32_t *latest, graph_object added) {
    added.next = *latest;
    if (added.memory == GRAPH_NONE) {
        added.memory = s->objects.count;
    }
    vector_push(&s->objects, added);
    return *latest = s->objects.count;
}

uint32_t graph_find_location(graph *g, uint32_t object, uint8_t bytes, uint32_t generation) {
    graph_scratch *s = g->scratch;
    while (s->location_of.count <= object) {
        vector_push(&s->location_of, 0);
    }
    uint32_t *latest = &vector_at(&s->location_of, object), found = *latest, memory = GRAPH_NONE;
    for (; found; found = vector_at(&s->objects, found - 1).next) {
        const graph_object *o = &vector_at(&s->objects, found - 1);
        memory = o->bytes == bytes ? o->memory : memory;
        if (o->bytes == bytes && o->generation == generation) {
            break;
        }
    }
    if (!found) {
        found = add_object(
            s, latest,
            (graph_object){
                .object = object, .generation = generation, .memory = memory, .bytes = bytes});
    }
    add_locations(g);
    return found - 1;
}

static void complete(graph *g, graph_event *e) {
    uint32_t before = graph_latest(g, e->thread);
    const graph_event *previous = before == GRAPH_NONE ? NULL : graph_at(g, before);
    bool second = e->kind == GRAPH_WRITE && e->exclusive;
    e->index = previous ? previous->index + 1 : 0;
    e->step = (previous ? previous->step : 0) + !second;
    e->drained = !previous ? 0 : graph_drains(previous) ? previous->index + 1 : previous->drained;
    e->frozen = false;
}

static void judge_read(const graph *g, graph_event *e) {
    uint64_t value = graph_value(g, e->location, e->source);
    e->exclusive = graph_would_write(e, value);
    e->blocked = !graph_would_pass(e, value);
    e->fails = graph_would_fail(e, value);
}

uint32_t graph_add(graph *g, const graph_event *added) {
    graph_event e = *added;
    uint32_t id = g->events.count;
    CHECK(e.thread < g->stride);
    complete(g, &e);
    if (e.kind == GRAPH_READ) {
        judge_read(g, &e);
    }
    vector_push(&g->events, e);
    vector_push(&vector_at(&g->threads, e.thread), id);
    vector_resize(&g->clocks, g->events.count * CLOCK_COUNT * g->stride);
    if (e.kind == GRAPH_READ) {
        vector_push(&graph_location_of(g, id)->reads, id);
    } else if (e.kind == GRAPH_WRITE) {
        list_write(g, id, e.position);
    }
    g->sequential += graph_is_sequential(&e);
    graph_compute_clocks(g, id);
    return id;
}

void graph_truncate(graph *g, uint32_t length) {
    CHECK(length <= g->events.count);
    while (g->events.count > length) {
        uint32_t id = g->events.count - 1;
        const graph_event *e = graph_at(g, id);
        if (e->kind == GRAPH_READ) {
            graph_list *reads = &graph_location_of(g, id)->reads;
            CHECK(vector_last(reads) == id);
            reads->count--;
        } else if (e->kind == GRAPH_WRITE) {
            unlist_write(g, id);
        }
        graph_list *own = &vector_at(&g->threads, e->thread);
        CHECK(vector_last(own) == id);
        own->count--;
        g->sequential -= graph_is_sequential(e);
        g->events.count--;
    }
    vector_resize(&g->clocks, length * CLOCK_COUNT * g->stride);
}

void graph_move(graph *g, uint32_t position) {
    uint32_t id = g->events.count - 1;
    CHECK(graph_at(g, id)->kind == GRAPH_WRITE);
    unlist_write(g, id);
    list_write(g, id, position);
}

void graph_read_from(graph *g, uint32_t read, uint32_t source) {
    graph_event *e = graph_at(g, read);
    CHECK(e->kind == GRAPH_READ && graph_latest(g, e->thread) == read);
    g->sequential -= graph_is_sequential(e);
    e->source = source;
    e->undecided = e->spins;
    judge_read(g, e);
    g->sequential += graph_is_sequential(e);
    graph_compute_clocks(g, read);
}

void graph_decide(graph *g, uint32_t read, bool blocked) {
    graph_event *e = graph_at(g, read);
    CHECK(e->kind == GRAPH_READ && e->spins && graph_latest(g, e->thread) == read);
    e->undecided = false;
    if (blocked) { /* and does not write */
        g->sequential -= graph_is_sequential(e);
        e->blocked = true;
        e->exclusive = false;
        g->sequential += graph_is_sequential(e);
        graph_compute_clocks(g, read);
    }
}

/* ---- copies ---- */

static uint32_t renumber(const graph_list *numbers, uint32_t id) {
    return id == GRAPH_NONE || id == GRAPH_INITIAL ? id : vector_at(numbers, id);
}

static void copy_list(graph_list *to, const graph_list *from, const graph_list *numbers) {
    vector_clear(to);
    for (uint32_t i = 0; i < from->count; i++) {
        uint32_t number = renumber(numbers, vector_at(from, i));
        if (number != GRAPH_NONE) {
            vector_push(to, number);
        }
    }
}

static void copy_locations(graph *to, const graph *from, const graph_list *numbers) {
    add_locations(to);
    for (uint32_t i = 0; i < from->locations.count; i++) {
        const graph_location *l = &vector_at(&from->locations, i);
        graph_location *copy = &vector_at(&to->locations, i);
        copy->initial = l->initial;
        copy_list(&copy->writes, &l->writes, numbers);
        copy_list(&copy->reads, &l->reads, numbers);
        number_writes(to, copy, 1);
    }
}

static void copy_event(graph *to, const graph *from, uint32_t id, const graph_list *numbers) {
    graph_event e = *graph_at(from, id);
    size_t row = (size_t)CLOCK_COUNT * from->stride;
    e.source = renumber(numbers, e.source);
    for (uint32_t i = 0; i < e.cause_count; i++) {
        e.causes[i] = renumber(numbers, e.causes[i]);
    }
    vector_push(&to->events, e);
    vector_resize(&to->clocks, to->events.count * CLOCK_COUNT * to->stride);
    memcpy(to->clocks.items + (to->events.count - 1) * row, from->clocks.items + id * row,
           row * sizeof *to->clocks.items);
    to->sequential += graph_is_sequential(&e);
}

void graph_copy(graph *to, const graph *from, const bool *keep, graph_list *numbers) {
    graph_clear(to);
    to->model = from->model;
    to->scratch = from->scratch;
    to->stride = from->stride;
    add_threads(to, from->threads.count);
    vector_clear(numbers);
    uint32_t count = 0;
    for (uint32_t id = 0; id < graph_length(from); id++) {
        vector_push(numbers, keep[id] ? count++ : GRAPH_NONE);
    }
    for (uint32_t id = 0; id < graph_length(from); id++) {
        if (keep[id]) {
            copy_event(to, from, id, numbers);
        }
    }
    copy_locations(to, from, numbers);
    for (uint32_t t = 0; t < from->threads.count; t++) {
        copy_list(&vector_at(&to->threads, t), &vector_at(&from->threads, t), numbers);
    }
}
