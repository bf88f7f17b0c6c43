#include "report/finding_trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/deadlock.h"
#include "report/trace_happens.h"
#include "report/trace_source.h"

/* Strings and places that the finding already has are not added again: strings are looked up by
 * their text, places by the target's number. */
typedef struct maker {
    finding *finding;
    const trace *trace;
    hash_index strings;      /* where they begin in the pool */
    VECTOR(uint32_t) places; /* by location: number of the place + 1 */
    VECTOR(uint32_t)
    known; /* steps that happen before the current one, but not before the previous step of its
              thread */
    text line;
} maker;

/* ---- strings ---- */

static finding_string intern(maker *m, const char *string) {
    return string_pool_add(&m->finding->pool, &m->strings, string);
}

static finding_string intern_line(maker *m) {
    finding_string s = intern(m, text_string(&m->line));
    text_clear(&m->line);
    return s;
}

static finding_string name_thread(maker *m, uint32_t thread) {
    describe_thread(m->trace->target, thread, &m->line);
    return intern_line(m);
}

/* ---- places ---- */

static uint32_t new_place(maker *m, uint32_t location) {
    target *target = m->trace->target;
    const char *file, *function = NULL;
    uint32_t line;
    if (!target->class->describe_location(target, location, &file, &line)) {
        return 0;
    }
    finding_place p = {.file = intern(m, file), .line = line};
    if (target->class->describe_function) {
        function = target->class->describe_function(target, location);
    }
    p.function = intern(m, function ? function : "");
    p.column =
        target->class->describe_column ? target->class->describe_column(target, location) : 0;
    vector_push(&m->finding->places, p);
    return m->finding->places.count - 1;
}

static uint32_t place_of(maker *m, uint32_t location) {
    while (m->places.count <= location) {
        vector_push(&m->places, 0);
    }
    if (!vector_at(&m->places, location)) {
        vector_at(&m->places, location) = new_place(m, location) + 1;
    }
    return vector_at(&m->places, location) - 1;
}

/* ---- the parts ---- */

static void make_threads(maker *m) {
    for (uint32_t i = 0; i < m->trace->thread_count; i++) {
        vector_push(&m->finding->threads, name_thread(m, i));
    }
}

/* Roles that are all equal are no information. */
static void make_roles(maker *m) {
    finding *f = m->finding;
    finding_string first = 0;
    bool differ = false;
    for (uint32_t i = 0; i < m->trace->thread_count; i++) {
        describe_role(m->trace->target, i, &m->line);
        finding_string role = intern_line(m);
        vector_push(&f->roles, role);
        first = first ? first : role;
        differ = differ || (role && role != first);
    }
    if (!differ) {
        vector_clear(&f->roles);
    }
}

static void make_shared(maker *m) {
    target *target = m->trace->target;
    bool more = target->class->describe_shared != NULL;
    for (uint32_t i = 0; more; i++) {
        char *line = NULL;
        size_t size = 0;
        FILE *stream = open_memstream(&line, &size);
        CHECK(stream != NULL);
        more = target->class->describe_shared(target, i, stream);
        fclose(stream);
        if (more) {
            vector_push(&m->finding->shared, intern(m, line));
        }
        free(line);
    }
}

static void make_steps(maker *m) {
    for (uint32_t i = 0; i < m->trace->steps.count; i++) {
        const trace_step *s = &vector_at(&m->trace->steps, i);
        finding_step made = {
            .step = s->step,
            .kind = s->kind,
            .acquired = s->acquired,
            .failed = s->failed,
            .valued = !s->missed && !s->lost && !s->wide && trace_has_value(s->kind),
            .writes = s->writes,
            .after_known = s->after_known,
            .object = s->object,
            .value = s->value,
            .after = s->after};
        trace_name_object(m->trace, i, &m->line);
        made.name = intern_line(m);
        trace_describe(m->trace, i, &m->line);
        made.description = intern_line(m);
        if (s->after_known) {
            trace_describe_after(m->trace, i, &m->line);
            made.after_words = intern_line(m);
        }
        made.place = place_of(m, s->location);
        enum access_order order;
        made.ordered = trace_order(m->trace, i, &order);
        made.order = made.ordered ? (uint8_t)order : 0;
        vector_push(&m->finding->steps, made);
        trace_describe_source(m->trace, i, &m->line);
        if (text_length(&m->line)) {
            vector_push(&m->finding->remarks, intern_line(m));
        }
    }
}

/* The last step of `thread` that happens before step number `after`, if it does not also happen
 * before the previous step of `after`'s thread; else POSITION_NONE. */
static uint32_t newly_known(const execution *e, uint32_t after, uint32_t thread) {
    const event *own = execution_event(e, after);
    uint32_t known = execution_clock(e, after)[thread], before = 0;
    if (own->index) {
        before = execution_clock(e, execution_position(e, own->thread, own->index - 1))[thread];
    }
    return thread != own->thread && known > before ? execution_position(e, thread, known - 1)
                                                   : POSITION_NONE;
}

static int compare_descending(const void *a, const void *b) {
    uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
    return (one < other) - (one > other);
}

/* An edge into this step follows from the edges made so far. */
static bool edge_follows(const maker *m, uint32_t before, uint32_t first_edge) {
    bool follows = false;
    for (uint32_t i = first_edge; i < m->finding->edges.count && !follows; i++) {
        follows =
            execution_before(&m->trace->execution, before, vector_at(&m->finding->edges, i).before);
    }
    return follows;
}

/* Of the steps in `known`, latest first: those that happen before none of the others. */
static void make_edges_into(maker *m, uint32_t after) {
    const execution *e = &m->trace->execution;
    uint32_t first_edge = m->finding->edges.count;
    vector_clear(&m->known);
    for (uint32_t t = 0; t < execution_thread_count(e); t++) {
        uint32_t before = newly_known(e, after, t);
        if (before != POSITION_NONE) {
            vector_push(&m->known, before);
        }
    }
    if (m->known.count > 1) {
        qsort(m->known.items, m->known.count, sizeof *m->known.items, compare_descending);
    }
    for (uint32_t i = 0; i < m->known.count; i++) {
        if (!edge_follows(m, vector_at(&m->known, i), first_edge)) {
            vector_push(&m->finding->edges, (finding_edge){vector_at(&m->known, i), after, false});
        }
    }
}

static void make_edge_of_read(maker *m, uint32_t after) {
    uint32_t source = trace_happens_source(m->trace, after);
    if (source != UINT32_MAX && !execution_before(&m->trace->execution, source, after)) {
        vector_push(&m->finding->edges, (finding_edge){source, after, true});
    }
}

static void make_edges(maker *m) {
    for (uint32_t i = 0; i < m->trace->steps.count; i++) {
        make_edges_into(m, i);
        make_edge_of_read(m, i);
    }
}

static void make_waits(maker *m) {
    for (uint32_t i = 0; i < m->trace->waits.count; i++) {
        const trace_wait *w = &vector_at(&m->trace->waits, i);
        finding_wait made = {.thread = w->thread, .kind = w->kind, .object = w->object};
        trace_name_awaited(m->trace, i, &m->line);
        made.name = intern_line(m);
        made.place = place_of(m, w->location);
        vector_push(&m->finding->waits, made);
    }
}

/* The last step of the thread at that place, NULL if there is none. */
static const trace_step *last_step_at(const trace *t, uint32_t thread, uint32_t location) {
    for (uint32_t i = t->steps.count; i-- > 0;) {
        const trace_step *s = &vector_at(&t->steps, i);
        if (s->step.thread == thread && s->location == location) {
            return s;
        }
    }
    return NULL;
}

/* The step that a relation is about. A place may be in a loop or in a function that is called more
 * than once: the step is the last one there that conflicts with the one in which the error occurs,
 * if any does. */
static uint32_t step_at(const trace *t, const error_relation *r, const trace_error *error) {
    const trace_step *fails = last_step_at(t, error->thread, error->location);
    const trace_step *found = last_step_at(t, r->thread, r->location);
    for (uint32_t i = t->steps.count; fails && i-- > 0;) {
        const trace_step *s = &vector_at(&t->steps, i);
        if (s->step.thread == r->thread && s->location == r->location &&
            footprint_conflict(s->footprint, fails->footprint)) {
            return i;
        }
    }
    return found ? (uint32_t)(found - t->steps.items) : FINDING_NO_STEP;
}

static void make_relations(maker *m, const trace_error *error) {
    for (uint32_t i = 0; i < error->relation_count; i++) {
        const error_relation *r = &error->relations[i];
        if (r->thread < m->trace->thread_count) {
            finding_relation made = {.what = intern(m, r->what), .thread = r->thread};
            made.place = place_of(m, r->location);
            made.step = step_at(m->trace, r, error);
            vector_push(&m->finding->relations, made);
        }
    }
}

/* If a thread is in only one function, the place of the error is enough; a thread that has
 * continued to another function is elsewhere. */
static void make_stack(maker *m, const trace_error *error) {
    const call_stack *s = &error->stack;
    uint32_t first = s->count > 1 ? place_of(m, s->locations[0]) : 0;
    finding *f = m->finding;
    if (!first ||
        vector_at(&f->places, first).function != vector_at(&f->places, f->place).function) {
        return;
    }
    vector_push(&f->stack, f->place);
    for (uint32_t i = 1; i < s->count; i++) {
        vector_push(&f->stack, place_of(m, s->locations[i]));
    }
}

/* Describes the steps. */
static const char uninitialised_words[] =
    "Seen in runs that differ only in the contents of memory from malloc. The steps are those of "
    "one in which every byte that was never written holds 0xbe (-1094795586 in an int).";

static void make_end(maker *m, const trace_error *expected) {
    finding *f = m->finding;
    bool deadlock = trace_deadlocked(m->trace);
    const trace_error *error = trace_selected(m->trace);
    if (!error && !deadlock) {
        error = expected;
    }
    f->end = error ? FINDING_ERROR : deadlock ? FINDING_DEADLOCK : FINDING_NOTHING;
    f->count = 1;
    trace_ending(m->trace, &m->line);
    f->ending = intern_line(m);
    if (error) {
        f->kind = error->kind;
        f->message = intern(m, text_string(&error->message));
        f->place = place_of(m, error->location);
        f->thread = error->thread < m->trace->thread_count ? error->thread : FINDING_NO_THREAD;
        make_relations(m, error);
        make_stack(m, error);
        if (f->kind == ERROR_UNINITIALISED && f->steps.count) {
            vector_push(&f->remarks, intern(m, uninitialised_words));
        }
    } else if (deadlock) {
        f->kind = trace_stuck_kind(m->trace);
        f->place = deadlock_place(f);
        deadlock_message(f, &m->line);
        f->message = intern_line(m);
    }
}

static void begin(maker *m) {
    *m->finding = (finding){.thread = FINDING_NO_THREAD, .doomed = FINDING_NO_STEP};
    intern(m, "");
    vector_push(&m->finding->places, (finding_place){0});
}

static void end(maker *m) {
    hash_index_free(&m->strings);
    vector_free(&m->places);
    vector_free(&m->known);
    text_free(&m->line);
}

void finding_of_steps(finding *f, target *target, const trace_error *error, const step *steps,
                      uint32_t count) {
    trace t = {.target = target, .thread_count = target->class->thread_count(target)};
    maker m = {.finding = f, .trace = &t};
    bool deadlock = error_is_stuck(error->kind);
    begin(&m);
    for (uint32_t i = 0; i < count; i++) { /* the target need not be at their end */
        t.thread_count = steps[i].thread < t.thread_count ? t.thread_count : steps[i].thread + 1;
    }
    make_threads(&m);
    make_shared(&m);
    for (uint32_t i = 0; i < count; i++) {
        vector_push(&f->steps, (finding_step){.step = steps[i]});
    }
    f->bare = true;
    f->end = deadlock ? FINDING_DEADLOCK : FINDING_ERROR;
    f->kind = error->kind;
    f->count = 1;
    f->message = intern(&m, text_string(&error->message));
    text_append(&m.line, error_word(error->kind));
    if (!deadlock) {
        text_format(&m.line, " %s", text_string(&error->message));
        f->place = place_of(&m, error->location);
        f->thread = error->thread < t.thread_count ? error->thread : FINDING_NO_THREAD;
    }
    f->ending = intern_line(&m);
    end(&m);
}

/* A step that is about to be taken: its operation is known, but not its result. */
static void make_pending(maker *m, step next) {
    target *target = m->trace->target;
    const operation *o = target->class->pending(target, next.thread);
    if (o) {
        finding_step made = {.step = next, .kind = o->kind, .failed = true, .object = o->object};
        describe_operation(target, o, &m->line);
        made.description = intern_line(m);
        made.place = place_of(m, o->location);
        vector_push(&m->finding->steps, made);
    }
}

static void make(maker *m, const step *next, const trace_error *expected) {
    begin(m);
    make_threads(m);
    make_roles(m);
    make_shared(m);
    make_steps(m);
    make_edges(m);
    if (next) {
        make_pending(m, *next);
    }
    make_waits(m);
    make_end(m, expected);
    end(m);
}

void finding_of_trace(finding *f, const trace *t, const trace_error *expected) {
    maker m = {.finding = f, .trace = t};
    make(&m, NULL, expected);
}

void finding_before_step(finding *f, const trace *t, step next, const trace_error *error) {
    maker m = {.finding = f, .trace = t};
    make(&m, &next, error);
}
