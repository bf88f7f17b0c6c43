/* Adds an event to a graph, and pushes its alternatives as work items. */
#include "dpor/graph/graph_search.h"

/* ---- operations as events ---- */

static enum graph_kind kind_of(enum operation_kind kind) {
    return graph_meaning_of(kind)->kind;
}

static bool has_trait(enum operation_kind kind, enum graph_trait trait) {
    return graph_meaning_of(kind)->traits & trait;
}

/* An access to all bytes of two objects, which the target keeps versions of together. */
static bool is_double(const operation *op) {
    return footprint_count(op->footprint) == 2 &&
           footprint_access(op->footprint, 0).bytes == ACCESS_ALL_BYTES &&
           footprint_access(op->footprint, 1).bytes == ACCESS_ALL_BYTES;
}

/* An atomic access that the target keeps versions for. */
static bool has_versions(const operation *op) {
    return op->choice_count && (!footprint_is_set(op->footprint) || is_double(op));
}

/* Operations of a synchronisation object access parts of it, but here they count as accesses to all
 * of it. */
static uint32_t location_for(graph_search *s, uint32_t thread, const operation *op) {
    graph *g = graph_search_present(s);
    target *t = s->base.exploration->target;
    CHECK(footprint_count(op->footprint) == 1 || has_versions(op));
    memory_access a = footprint_access(op->footprint, 0);
    uint8_t bytes = operation_is_access(op->kind) ? a.bytes : ACCESS_ALL_BYTES;
    uint32_t generation = t->class->generation ? t->class->generation(t, thread) : 0;
    uint32_t location = graph_find_location(g, a.object, bytes, generation);
    vector_at(&g->scratch->objects, location).shared |= has_trait(op->kind, TRAIT_SHARED);
    return location;
}

/* A lock that is possible although the mutex is held: its owner locks it again. */
static bool is_held(graph_search *s, uint32_t thread, const operation *op) {
    uint32_t location = location_for(s, thread, op);
    graph *g = graph_search_present(s);
    uint64_t state =
        graph_value(g, location, vector_last(&vector_at(&g->locations, location).writes));
    return state != 0 && state != OPERATION_DESTROYED;
}

static bool is_supported(graph_search *s, uint32_t thread, const operation *op) {
    target *t = s->base.exploration->target;
    bool single = !footprint_is_set(op->footprint);
    switch ((enum graph_support)graph_meaning_of(op->kind)->support) {
        case SUPPORT_NEVER: return false;
        case SUPPORT_ALWAYS: return true;
        case SUPPORT_VERSIONS: return has_versions(op);
        case SUPPORT_SINGLE: return single;
        case SUPPORT_WAITER: return single && thread < GRAPH_MOST_WAITERS;
        case SUPPORT_READER:
            return single && footprint_access(op->footprint, 0).mode == ACCESS_READ;
        case SUPPORT_LAST: return single && op->supply_count;
        case SUPPORT_LIVES: return single || t->class->generation;
    }
    return false;
}

const char *graph_search_unsupported(graph_search *s, uint32_t thread, const operation *op) {
    bool wide = has_trait(op->kind, TRAIT_WIDE), memory = operation_is_access(op->kind);
    if (!memory && graph_meaning_of(op->kind)->support == SUPPORT_NEVER) {
        return operation_word(op->kind);
    }
    if (operation_fixed_causes(op) > GRAPH_MOST_CAUSES) {
        return "a barrier for this many threads";
    }
    if (!wide && footprint_count(op->footprint) > 1 && !has_versions(op)) {
        return memory ? "an access of more than 16 bytes, not aligned, or to several objects"
                      : "access to several variables in one step";
    }
    if (has_trait(op->kind, TRAIT_RECURSIVE) && is_held(s, thread, op)) {
        return "lock of a mutex that is locked, by its owner or after its owner ended";
    }
    if (is_supported(s, thread, op)) {
        return NULL;
    }
    return memory ? "an access that is not atomic, or to memory that is accessed in several sizes"
                  : operation_word(op->kind);
}

/* The event of a thread that a cause is, or GRAPH_NONE. */
static uint32_t event_of(const graph *g, cause c) {
    if (c.thread >= g->threads.count) {
        return GRAPH_NONE;
    }
    const graph_list *own = &vector_at(&g->threads, c.thread);
    for (uint32_t i = own->count; i-- > 0;) {
        if (graph_at(g, vector_at(own, i))->step <= c.events) {
            return vector_at(own, i);
        }
    }
    return GRAPH_NONE;
}

static graph_event event_for(graph_search *s, uint32_t thread, const operation *op) {
    graph *g = graph_search_present(s);
    target *t = s->base.exploration->target;
    graph_event e = {.thread = thread,
                     .kind = (uint8_t)kind_of(op->kind),
                     .operation = op->kind,
                     .compare = op->compare,
                     .order = op->order,
                     .failure = op->failure,
                     .chooses = op->choice_count != 0,
                     .last = operation_has_role(op->kind, ROLE_TIMES_OUT) && op->supply_count,
                     .spins = op->flags & OPERATION_SPINS && !graph_takes(op->kind),
                     .expected = op->expected,
                     .source = GRAPH_NONE,
                     .location = GRAPH_NONE,
                     .maximal = true,
                     .cause_count = operation_fixed_causes(op)};
    CHECK(e.cause_count <= GRAPH_MOST_CAUSES);
    for (uint32_t i = 0; i < e.cause_count; i++) {
        e.causes[i] = event_of(g, op->causes[i]);
    }
    bool begins = has_trait(op->kind, TRAIT_BEGINS) && t->class->generation;
    bool joins = e.last && !footprint_count(op->footprint);
    e.kind = begins || joins ? GRAPH_OTHER : e.kind;
    if (e.kind == GRAPH_READ || e.kind == GRAPH_WRITE) {
        e.location = location_for(s, thread, op);
        graph_location *l = &vector_at(&g->locations, e.location);
        if (l->writes.count == 1 && !l->reads.count) {
            l->initial = t->class->initial(t, thread);
        }
        bool shared = vector_at(&g->scratch->objects, e.location).shared;
        e.kind = shared ? GRAPH_READ : e.kind; /* an unlock changes how many hold it */
    }
    graph_set_orders(&e);
    return e;
}

static void push(graph_search *s, const graph_event *e) {
    vector_push(&s->items, (graph_item){.level = s->depth - 1,
                                        .length = graph_length(graph_search_present(s)),
                                        .work = WORK_ADD,
                                        .event = *e});
}

/* ---- writes ---- */

/* Of the latest event. */
static void push_revisits(graph_search *s) {
    const graph *g = graph_search_present(s);
    graph_find_revisits(g, &s->reads);
    for (uint32_t i = 0; i < s->reads.count; i++) {
        vector_push(&s->items, (graph_item){.level = s->depth - 1,
                                            .length = graph_length(g),
                                            .work = WORK_REVISIT,
                                            .read = vector_at(&s->reads, i)});
    }
}

static step step_of(const graph_event *e, uint32_t choice) {
    uint32_t chosen = graph_signals(e) ? e->choice : choice;
    return (step){e->thread, e->chooses ? chosen : CHOICE_NONE};
}

/* What the event writes if it reads `old`. */
static bool find_written(graph_search *s, const graph_event *e, uint64_t old, uint64_t *value) {
    target *t = s->base.exploration->target;
    if (graph_signals(e)) {
        CHECK(!e->chooses || (e->choice < GRAPH_MOST_WAITERS && old >> e->choice & 1));
        *value = e->chooses ? old & ~((uint64_t)1 << e->choice) : old;
        return true;
    }
    if (graph_takes(e->operation) && operation_makes(e->operation, e->thread, old, value)) {
        return true; /* even if the thread is about to time out instead */
    }
    return t->class->written(t, e->thread, old, value);
}

/* What an event of the thread sees before it reads anything. */
static uint32_t find_lowest(graph_search *s, const graph_event *e) {
    graph *g = graph_search_present(s);
    graph_event probe = *e;
    probe.kind = GRAPH_OTHER;
    uint32_t id = graph_add(g, &probe);
    uint32_t lowest = graph_lowest(g, e->location, graph_clock(g, id, CLOCK_BEFORE));
    graph_truncate(g, id);
    return lowest;
}

static enum decision extend_write(graph_search *s, graph_event *e, step *next) {
    graph *g = graph_search_present(s);
    target *t = s->base.exploration->target;
    if (!t->class->written(t, e->thread, 0, &e->value)) {
        e->kind = GRAPH_OTHER; /* an error, which does not depend on other threads */
        e->choice = 0;
        graph_add(g, e);
        *next = step_of(e, 0);
        return DECISION_STEP;
    }
    uint32_t last = vector_at(&g->locations, e->location).writes.count;
    e->maximal = false;
    for (e->position = find_lowest(s, e) + 1; e->position < last; e->position++) {
        if (graph_place_is_free(g, e->location, e->position)) {
            push(s, e);
        }
    }
    e->maximal = true;
    graph_add(g, e);
    push_revisits(s);
    *next = step_of(e, 0);
    return DECISION_STEP;
}

/* ---- reads ---- */

/* It would continue after having read the value. If it may poll, and that is not the latest write,
 * it is asked when it comes (graph_search_choose). */
static bool would_pass(graph_search *s, const graph_event *e, uint64_t value, bool latest) {
    target *t = s->base.exploration->target;
    bool asks = e->spins || (graph_takes(e->operation) && (latest || !t->polls));
    return graph_would_pass(e, value) && !(asks && t->class->waits(t, e->thread, value));
}

/* The event may take a write other than the latest. */
static bool may_read(graph_search *s, const graph_event *e, uint32_t write, const uint32_t *clock) {
    const graph *g = graph_search_present(s);
    uint64_t value = graph_value(g, e->location, write);
    bool latest = write == vector_last(&vector_at(&g->locations, e->location).writes);
    return would_pass(s, e, value, latest) &&
           !(graph_would_write(e, value) && graph_is_taken(g, e->location, write, clock));
}

/* Pushes the event, which reads `old`: a signal once for each of the threads that it could wake. If
 * it reads the latest write, the first of these is not pushed but taken. */
static void push_read(graph_search *s, graph_event *e, uint64_t old, bool latest) {
    bool signals = graph_signals(e), maximal = e->maximal;
    uint32_t first = signals ? graph_next_waiter(old, GRAPH_NONE) : GRAPH_NONE, next = first;
    e->chooses = signals ? first != GRAPH_NONE : e->chooses;
    do {
        e->choice = next;
        e->maximal = maximal && next == first;
        if (graph_would_write(e, old)) {
            find_written(s, e, old, &e->value);
        }
        if (!latest || next != first) {
            push(s, e);
        }
        next = next == GRAPH_NONE ? GRAPH_NONE : graph_next_waiter(old, next);
    } while (next != GRAPH_NONE);
    e->choice = first;
    e->maximal = maximal;
}

/* Pushes all writes that it could read; the latest only if `all`. */
static void push_sources(graph_search *s, const graph_event *e, bool all) {
    graph *g = graph_search_present(s);
    graph_event probe = *e, other = *e;
    probe.kind = GRAPH_OTHER;
    uint32_t id = graph_add(g, &probe);
    const graph_list *writes = &vector_at(&g->locations, e->location).writes;
    uint32_t lowest = graph_lowest(g, e->location, graph_clock(g, id, CLOCK_BEFORE));
    other.maximal = false;
    s->reads.count = 0;
    for (uint32_t i = lowest; i + !all < writes->count; i++) {
        uint32_t write = vector_at(writes, i);
        if (may_read(s, e, write, graph_clock(g, id, CLOCK_CAUSAL))) {
            vector_push(&s->reads, write);
        }
    }
    graph_truncate(g, id);
    for (uint32_t i = 0; i < s->reads.count; i++) {
        other.source = vector_at(&s->reads, i);
        push_read(s, &other, graph_value(g, e->location, other.source), false);
    }
}

void graph_search_try_lock(graph_search *s, uint32_t thread, const operation *op) {
    graph_event e = event_for(s, thread, op);
    push_sources(s, &e, true);
}

bool graph_search_add_write(graph_search *s, uint32_t read, uint64_t value) {
    graph *g = graph_search_present(s);
    graph_event e = *graph_at(g, read);
    e.kind = GRAPH_WRITE;
    e.cause_count = 0;
    e.last = false;
    e.value = value;
    e.position = graph_position(g, e.source) + 1;
    bool free = graph_place_is_free(g, e.location, e.position);
    e.maximal = e.position == vector_at(&g->locations, e.location).writes.count;
    uint32_t write = graph_add(g, &e);
    push_revisits(s);
    return free && (e.maximal || graph_is_consistent(g, read, write));
}

/* Asks the target whether the read, which spins, continues with what it reads. */
static enum decision decide(graph_search *s, uint32_t read) {
    graph *g = graph_search_present(s);
    const graph_event *e = graph_at(g, read);
    bool passes = would_pass(s, e, graph_value(g, e->location, e->source), true);
    if (!passes && graph_newer(g, e->location, e->source)) {
        return DECISION_REDUNDANT;
    }
    graph_decide(g, read, !passes);
    return passes ? DECISION_STEP : DECISION_NOTHING;
}

enum decision graph_search_complete(graph_search *s, step *next) {
    const graph *g = graph_search_present(s);
    uint32_t read = s->pending;
    s->pending = GRAPH_NONE;
    enum decision decision = graph_at(g, read)->spins ? decide(s, read) : DECISION_STEP;
    const graph_event *e = graph_at(g, read);
    uint64_t value = graph_value(g, e->location, e->source);
    *next = step_of(e, graph_newer(g, e->location, e->source));
    if (decision != DECISION_STEP || !e->exclusive) {
        return decision;
    }
    bool writes = find_written(s, e, value, &value);
    CHECK(writes);
    return graph_search_add_write(s, read, value) ? DECISION_STEP : DECISION_REDUNDANT;
}

static enum decision extend_read(graph_search *s, graph_event *e, step *next) {
    push_sources(s, e, false);
    graph *g = graph_search_present(s);
    e->source = vector_last(&vector_at(&g->locations, e->location).writes);
    if (graph_signals(e)) {
        push_read(s, e, graph_value(g, e->location, e->source), true);
    }
    uint32_t id = graph_add(g, e);
    if (graph_at(g, id)->blocked) {
        return DECISION_NOTHING;
    }
    if (graph_at(g, id)->exclusive || e->spins) {
        s->pending = id;
        return graph_search_complete(s, next);
    }
    *next = step_of(e, 0);
    return DECISION_STEP;
}

/* ---- others ---- */

static enum decision extend_other(graph_search *s, graph_event *e, const operation *op,
                                  step *next) {
    for (uint32_t i = operation_alternatives(op); i-- > 1;) {
        e->choice = operation_choice(op, i);
        e->maximal = false;
        push(s, e);
    }
    e->choice = operation_choice(op, 0);
    e->maximal = true;
    graph_add(graph_search_present(s), e);
    *next = step_of(e, e->choice);
    return DECISION_STEP;
}

/* An error, which does not depend on other threads. */
static bool is_broken(target *t, uint32_t thread, const operation *op) {
    uint64_t value;
    return (operation_has_role(op->kind, ROLE_RELEASES) && !footprint_count(op->footprint)) ||
           (operation_has_role(op->kind, ROLE_WAITS) && !t->class->written(t, thread, 0, &value));
}

/* A thread that times out could have got what it waits for before others did. */
static void try_before(graph_search *s, uint32_t thread, const operation *timeout) {
    operation op = *timeout;
    op.kind = timeout->instead;
    op.cause_count = operation_fixed_causes(timeout);
    op.supply_count = 0;
    graph_search_try_lock(s, thread, &op);
}

enum decision graph_search_extend(graph_search *s, uint32_t thread, const operation *op,
                                  step *next) {
    bool broken = is_broken(s->base.exploration->target, thread, op);
    graph_event e =
        broken ? (graph_event){.thread = thread, .kind = GRAPH_OTHER} : event_for(s, thread, op);
    if (e.last && graph_takes(op->instead) && !operation_has_role(op->instead, ROLE_RESUMES)) {
        try_before(s, thread, op);
    }
    switch ((enum graph_kind)e.kind) {
        case GRAPH_READ: return extend_read(s, &e, next);
        case GRAPH_WRITE: return extend_write(s, &e, next);
        default: return extend_other(s, &e, op, next);
    }
}
