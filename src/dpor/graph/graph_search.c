#include "dpor/graph/graph_search.h"

#include <stdio.h>
#include <string.h>

static graph_search *of(strategy *s) {
    return (graph_search *)s;
}

static graph *open_level(graph_search *s) {
    if (s->depth == s->levels.count) {
        vector_push(&s->levels, (graph){0});
    }
    graph *g = &vector_at(&s->levels, s->depth++);
    graph_clear(g);
    return g;
}

void graph_search_init(strategy *base) {
    graph_search *s = of(base);
    s->pending = s->asked = GRAPH_NONE;
    graph *g = open_level(s);
    g->model = s->base.exploration->model;
    g->scratch = &s->scratch;
}

void graph_search_free(strategy *base) {
    graph_search *s = of(base);
    for (uint32_t i = 0; i < s->levels.count; i++) {
        graph_free(&vector_at(&s->levels, i));
    }
    vector_free(&s->levels);
    vector_free(&s->items);
    vector_free(&s->script);
    vector_free(&s->planned);
    vector_free(&s->reads);
    vector_free(&s->numbers);
    vector_free(&s->scratch.objects);
    vector_free(&s->scratch.location_of);
    vector_free(&s->scratch.seen);
    vector_free(&s->scratch.stack);
    vector_free(&s->scratch.rows);
}

/* ---- the current execution ---- */

/* The thread is at an await that does not hold. */
static bool is_blocked(const graph *g, uint32_t thread) {
    uint32_t latest = graph_latest(g, thread);
    return latest != GRAPH_NONE && graph_at(g, latest)->blocked;
}

/* An await is part of the graph even while it does not hold, so that later writes can let it pass.
 * A lock is not. */
static bool is_runnable(const graph *g, uint32_t thread, const operation *op) {
    bool awaits = op && (operation_has_role(op->kind, ROLE_AWAITS) ||
                         (op->flags & OPERATION_SPINS && !graph_takes(op->kind)));
    return op && !is_blocked(g, thread) && (operation_enabled(op) || awaits);
}

/* Some await that does not hold has read a write that was overwritten since: another graph covers
 * what it does then. */
static bool is_outdated(const graph *g) {
    for (uint32_t t = 0; t < g->threads.count; t++) {
        uint32_t latest = graph_latest(g, t);
        if (latest != GRAPH_NONE && graph_at(g, latest)->blocked &&
            graph_newer(g, graph_at(g, latest)->location, graph_at(g, latest)->source)) {
            return true;
        }
    }
    return false;
}

/* No thread can continue. Locks that wait could have come first, even if an await is outdated: in
 * the graphs in which it has read another write, that write stays. */
static enum decision finish(graph_search *s) {
    target *t = s->base.exploration->target;
    for (uint32_t i = 0; i < t->class->thread_count(t); i++) {
        const operation *op = t->class->pending(t, i);
        bool asleep = op && !footprint_count(op->footprint); /* it waits for no lock yet */
        if (op && !operation_enabled(op) && graph_takes(op->kind) && !asleep) {
            graph_search_try_lock(s, i, op);
        }
    }
    return is_outdated(graph_search_present(s)) ? DECISION_REDUNDANT : DECISION_MAXIMAL;
}

static enum decision refuse(graph_search *s, uint32_t thread, const operation *op,
                            const char *what) {
    exploration *x = s->base.exploration;
    x->refused = (program_error){.kind = ERROR_UNSUPPORTED,
                                 .thread = thread,
                                 .location = op->location,
                                 .message = x->refusal};
    memset(x->refusal, 0, sizeof x->refusal);
    FILE *out = fmemopen(x->refusal, sizeof x->refusal - 1, "w");
    CHECK(out);
    fprintf(out, "--algorithm=graph does not support this: %s", what);
    if (operation_shows(op->kind, SHOWS_OBJECT)) {
        fputs(": ", out);
        x->target->class->describe_object(x->target, op->object, out);
    }
    fclose(out);
    return DECISION_UNSUPPORTED;
}

/* A time-out, which comes only when no other thread can continue. */
static bool comes_last(const operation *op) {
    return operation_has_role(op->kind, ROLE_TIMES_OUT) && op->supply_count;
}

/* The thread takes its next step, if the graph can have it. */
static enum decision go_on(graph_search *s, uint32_t thread, const operation *op, step *next) {
    bool mixed = s->base.exploration->target->mixed;
    const char *unsupported = mixed ? "plain variables that are also accessed atomically"
                                    : graph_search_unsupported(s, thread, op);
    return unsupported ? refuse(s, thread, op, unsupported)
                       : graph_search_extend(s, thread, op, next);
}

/* The next step of the script; a lock may only poll. */
static enum decision follow_script(graph_search *s, uint32_t length, step *next) {
    target *t = s->base.exploration->target;
    *next = vector_at(&s->script, length);
    if (length != s->asked) {
        return DECISION_STEP;
    }
    s->asked = GRAPH_NONE;
    const operation *op = t->class->pending(t, next->thread);
    CHECK(op && graph_takes(op->kind));
    return t->class->waits(t, next->thread, 0) ? DECISION_REDUNDANT : DECISION_STEP;
}

enum decision graph_search_choose(strategy *base, step *next) {
    graph_search *s = of(base);
    target *t = base->exploration->target;
    uint32_t length = execution_length(&base->exploration->execution);
    uint32_t count = t->class->thread_count(t);
    if (length < s->script.count) {
        return follow_script(s, length, next);
    }
    graph_widen(graph_search_present(s), count);
    enum decision decision = DECISION_NOTHING;
    if (s->pending != GRAPH_NONE) {
        decision = graph_search_complete(s, next);
    }
    uint32_t due = GRAPH_NONE;
    for (uint32_t i = 0; decision == DECISION_NOTHING && i < count; i++) {
        const operation *op = t->class->pending(t, i);
        bool runnable = is_runnable(graph_search_present(s), i, op);
        due = runnable && comes_last(op) ? i : due;
        if (runnable && !comes_last(op)) {
            decision = go_on(s, i, op, next);
        }
    }
    if (decision == DECISION_NOTHING && due != GRAPH_NONE &&
        !is_outdated(graph_search_present(s))) {
        decision = go_on(s, due, t->class->pending(t, due), next);
    }
    if (decision == DECISION_STEP) {
        vector_push(&s->script, *next);
    }
    return decision == DECISION_NOTHING ? finish(s) : decision;
}

void graph_search_stepped(strategy *base) {
    (void)base;
}

void graph_search_ended(strategy *base, enum decision decision) {
    (void)base, (void)decision;
}

/* ---- the next one ---- */

/* How many of the planned steps come before the step of the latest event, if that is a lock that
 * may poll; or GRAPH_NONE. */
static uint32_t find_asked(graph_search *s) {
    const graph *g = graph_search_present(s);
    const graph_event *e = graph_at(g, graph_length(g) - 1);
    bool locks = e->kind == GRAPH_WRITE && e->exclusive && graph_takes(e->operation);
    uint32_t taken = 0;
    for (uint32_t i = 0; locks && s->base.exploration->target->polls && i < s->planned.count; i++) {
        taken += vector_at(&s->planned, i).thread == e->thread;
        if (taken == e->step) {
            return i;
        }
    }
    return GRAPH_NONE;
}

/* The steps of the graph; those that are a prefix of the current execution need not be taken again.
 * `fresh` of them were never taken. */
static void follow(graph_search *s, uint32_t last, uint32_t fresh) {
    exploration *x = s->base.exploration;
    uint32_t length = execution_length(&x->execution), common = 0;
    graph_linearise(graph_search_present(s), last, &s->planned);
    s->asked = find_asked(s);
    while (common < length && common < s->planned.count &&
           memcmp(&vector_at(&s->planned, common), &vector_at(&s->script, common), sizeof(step)) ==
               0) {
        common++;
    }
    execution_truncate(&x->execution, common);
    x->known_length = s->planned.count > fresh ? s->planned.count - fresh : 0;
    vector_assign(&s->script, s->planned.items, s->planned.count);
}

static bool is_pending(const graph *g, uint32_t id) {
    const graph_event *e = graph_at(g, id);
    return e->kind == GRAPH_READ && e->exclusive;
}

/* The event takes another write, or place, or alternative. */
bool graph_search_add(graph_search *s, const graph_item *item) {
    graph *g = graph_search_present(s);
    graph_truncate(g, item->length);
    uint32_t id = graph_add(g, &item->event);
    uint32_t read = item->event.kind == GRAPH_READ ? id : GRAPH_NONE;
    uint32_t write = item->event.kind == GRAPH_WRITE ? id : GRAPH_NONE;
    bool access = item->event.kind == GRAPH_READ || item->event.kind == GRAPH_WRITE;
    if (access && !graph_is_consistent(g, read, write)) {
        return false;
    }
    s->pending = GRAPH_NONE;
    if (is_pending(g, id) && !graph_search_add_write(s, id, item->event.value)) {
        return false;
    }
    follow(s, id, 1);
    return true;
}

/* The latest event, a write, is at its place, and `read` reads it. */
static bool accept(graph_search *s, uint32_t read) {
    graph *g = graph_search_present(s);
    uint32_t write = graph_length(g) - 1;
    const graph_location *l = graph_location_of(g, write);
    if (read != GRAPH_NONE) {
        graph_event *e = graph_at(g, read);
        e->maximal = true;
        for (uint32_t i = graph_at(g, write)->position + 1; i < l->writes.count; i++) {
            e->maximal = e->maximal && vector_at(&l->writes, i) > read;
        }
        if (e->blocked && graph_newer(g, e->location, write)) {
            return false;
        }
    }
    if (!graph_is_consistent(g, read, write)) {
        return false;
    }
    bool pending = read != GRAPH_NONE && (is_pending(g, read) || graph_at(g, read)->undecided);
    s->pending = pending ? read : GRAPH_NONE;
    follow(s, read, read == GRAPH_NONE ? 1 : 2);
    return true;
}

/* The earliest place of the write: after every write that it, or the read, has to come after. */
static uint32_t lowest_place(const graph *g, uint32_t read, uint32_t write) {
    uint32_t location = graph_at(g, write)->location;
    uint32_t lowest = graph_lowest(g, location, graph_clock(g, write, CLOCK_BEFORE));
    if (read != GRAPH_NONE) {
        uint32_t other = graph_lowest(g, location, graph_clock(g, read, CLOCK_BEFORE));
        lowest = other > lowest ? other : lowest;
    }
    return lowest + 1;
}

/* Tries all places of the write, the latest one immediately. */
static bool place(graph_search *s, uint32_t read) {
    graph *g = graph_search_present(s);
    uint32_t write = graph_length(g) - 1, location = graph_at(g, write)->location;
    uint32_t last = vector_at(&g->locations, location).writes.count - 1;
    uint32_t own = graph_at(g, write)->position;
    graph_move(g, last);
    uint32_t lowest = lowest_place(g, read, write);
    if (graph_at(g, write)->exclusive) { /* right after what it has read */
        graph_move(g, own);
        bool free = own == last || !graph_at(g, graph_next_write(g, location, write))->exclusive;
        return free && own >= lowest && accept(s, read);
    }
    for (uint32_t at = lowest; at < last; at++) {
        /* The write itself is the last one now, so that positions are those without it. */
        if (graph_place_is_free(g, location, at)) {
            vector_push(&s->items, (graph_item){.level = s->depth - 1,
                                                .length = graph_length(g),
                                                .work = WORK_MOVE,
                                                .read = read,
                                                .place = at});
        }
    }
    return accept(s, read);
}

/* A signal that reads another set of waiters wakes any one of them. */
static void choose_waiter(graph_search *s, uint32_t read) {
    graph *g = graph_search_present(s);
    graph_event *e = graph_at(g, read);
    CHECK(graph_signals(e) && graph_latest(g, e->thread) == read);
    uint64_t waiters = graph_value(g, e->location, e->source);
    uint32_t next = graph_next_waiter(waiters, GRAPH_NONE);
    e->chooses = next != GRAPH_NONE;
    e->choice = next;
    while (e->chooses && (next = graph_next_waiter(waiters, next)) != GRAPH_NONE) {
        vector_push(&s->items, (graph_item){.level = s->depth - 1,
                                            .length = graph_length(g),
                                            .work = WORK_WAKE,
                                            .read = read,
                                            .place = next});
    }
}

static bool wake(graph_search *s, const graph_item *item) {
    graph *g = graph_search_present(s);
    graph_truncate(g, item->length);
    CHECK(graph_at(g, item->read)->chooses && item->place < GRAPH_MOST_WAITERS);
    graph_at(g, item->read)->choice = item->place;
    bool good = accept(s, item->read);
    graph_at(g, item->read)->maximal = false;
    return good;
}

static bool revisit(graph_search *s, const graph_item *item) {
    graph_truncate(graph_search_present(s), item->length);
    open_level(s); /* levels may have moved */
    graph *to = graph_search_present(s), *from = &vector_at(&s->levels, s->depth - 2);
    uint32_t read = graph_revisit(to, from, item->read, &s->numbers);
    if (read != GRAPH_NONE) {
        graph_read_from(to, read, graph_length(to) - 1);
        if (graph_signals(graph_at(to, read))) {
            choose_waiter(s, read);
        }
    }
    return place(s, read);
}

static bool move(graph_search *s, const graph_item *item) {
    graph *g = graph_search_present(s);
    graph_truncate(g, item->length);
    graph_move(g, item->place);
    return accept(s, item->read);
}

bool graph_search_backtrack(strategy *base) {
    graph_search *s = of(base);
    while (s->items.count) {
        graph_item item = vector_pop(&s->items);
        CHECK(item.level < s->depth);
        s->depth = item.level + 1;
        bool good = item.work == WORK_ADD       ? graph_search_add(s, &item)
                    : item.work == WORK_REVISIT ? revisit(s, &item)
                    : item.work == WORK_WAKE    ? wake(s, &item)
                                                : move(s, &item);
        if (good) {
            return true;
        }
    }
    return false;
}
