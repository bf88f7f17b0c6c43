#include "report/trace_happens.h"

#include "base/memory.h"
#include "report/trace_source.h"

/* At most one for each thread, the latest. */
typedef VECTOR(cause) cause_list;
typedef VECTOR(uint32_t) number_list;

typedef struct place {
    memory_access access;
    number_list writes; /* steps, the latest version last */
} place;

typedef struct trace_happens {
    operation pending;
    cause_list causes;           /* of the pending operation */
    VECTOR(place) places;        /* that were accessed atomically */
    VECTOR(cause_list) messages; /* by step: what a read of it that acquires synchronises with */
    VECTOR(cause_list) seen;     /* by thread: the same for a fence after its relaxed reads */
    VECTOR(uint32_t) fences; /* by thread: number of its events up to its latest release fence */
    number_list sources;     /* by step */
} trace_happens;

trace_happens *trace_happens_create(void) {
    trace_happens *h = memory_resize(NULL, 0, sizeof *h);
    *h = (trace_happens){0};
    return h;
}

void trace_happens_free(trace_happens *h) {
    if (!h) {
        return;
    }
    for (uint32_t i = 0; i < h->places.count; i++) {
        vector_free(&vector_at(&h->places, i).writes);
    }
    for (uint32_t i = 0; i < h->messages.count; i++) {
        vector_free(&vector_at(&h->messages, i));
    }
    for (uint32_t i = 0; i < h->seen.count; i++) {
        vector_free(&vector_at(&h->seen, i));
    }
    vector_free(&h->places);
    vector_free(&h->messages);
    vector_free(&h->seen);
    vector_free(&h->fences);
    vector_free(&h->sources);
    vector_free(&h->causes);
    memory_resize(h, sizeof *h, 0);
}

void trace_happens_note(trace_happens *h, const operation *op) {
    h->pending = *op;
    vector_clear(&h->causes);
    for (uint32_t i = 0; i < op->cause_count; i++) {
        vector_push(&h->causes, op->causes[i]);
    }
}

static void add(cause_list *list, cause added) {
    for (uint32_t i = 0; i < list->count; i++) {
        cause *c = &vector_at(list, i);
        if (c->thread == added.thread) {
            c->events = c->events > added.events ? c->events : added.events;
            return;
        }
    }
    vector_push(list, added);
}

static void add_all(cause_list *list, const cause_list *added) {
    for (uint32_t i = 0; i < added->count; i++) {
        add(list, vector_at(added, i));
    }
}

/* ---- orders ---- */

static bool acquires(enum access_order order) {
    return order == ORDER_ACQUIRE || order == ORDER_ACQ_REL || order == ORDER_SEQ_CST;
}

static bool releases(enum access_order order) {
    return order == ORDER_RELEASE || order == ORDER_ACQ_REL || order == ORDER_SEQ_CST;
}

static bool orders_nothing(const trace_step *s) {
    uint64_t state = (uint64_t)1 << 62, made; /* of which every change is one */
    bool same = operation_makes(s->kind, s->step.thread, state, &made) && made == state;
    return same || (operation_has_role(s->kind, ROLE_TRIES) && !s->value) ||
           operation_has_role(s->kind, ROLE_WAITS | ROLE_WAKES_ONE | ROLE_WAKES_ALL);
}

/* ---- versions ---- */

static number_list *writes_of(trace_happens *h, const trace_step *s) {
    memory_access a = footprint_access(s->footprint, 0);
    for (uint32_t i = 0; i < h->places.count; i++) {
        place *p = &vector_at(&h->places, i);
        if (p->access.object == a.object && p->access.bytes == a.bytes) {
            return &p->writes;
        }
    }
    vector_push(&h->places, (place){.access = a});
    return &vector_last(&h->places).writes;
}

/* Where in the order of `count` writes the step comes, or what it reads: 0 is before all. */
static uint32_t position_of(const trace_step *s, uint32_t count) {
    return s->step.choice <= count ? count - s->step.choice : count;
}

static void read_version(trace *t, const trace_step *s, enum access_order order, uint32_t *source) {
    trace_happens *h = t->happens;
    const number_list *writes = writes_of(h, s);
    uint32_t at = position_of(s, writes->count);
    *source = at ? vector_at(writes, at - 1) : UINT32_MAX;
    if (*source == UINT32_MAX) {
        return;
    }
    const cause_list *message = &vector_at(&h->messages, *source);
    add_all(&vector_at(&h->seen, s->step.thread), message);
    if (acquires(order)) {
        add_all(&h->causes, message);
    }
}

/* The step is the next one of the execution. */
static void write_version(trace *t, const trace_step *s, enum access_order order, uint32_t source) {
    trace_happens *h = t->happens;
    number_list *writes = writes_of(h, s);
    uint32_t number = h->messages.count - 1, at = position_of(s, writes->count);
    uint32_t thread = s->step.thread, fence = vector_at(&h->fences, thread);
    uint32_t own = execution_thread_events(&t->execution, thread) + 1;
    cause_list *message = &vector_at(&h->messages, number);
    vector_insert(writes, at, number);
    if (releases(order) || fence) {
        add(message, (cause){thread, releases(order) ? own : fence});
    }
    if (source != UINT32_MAX) { /* a release sequence goes on */
        add_all(message, &vector_at(&h->messages, source));
    }
}

/* ---- steps ---- */

static void widen(trace_happens *h, uint32_t thread) {
    while (h->seen.count <= thread) {
        vector_push(&h->seen, (cause_list){0});
        vector_push(&h->fences, 0);
    }
}

static uint32_t access_memory(trace *t, const trace_step *s) {
    enum access_order order;
    uint32_t source = UINT32_MAX;
    trace_order(t, t->steps.count - 1, &order);
    bool atomic = s->step.choice != CHOICE_NONE;
    if (atomic && operation_has_role(s->kind, ROLE_READS)) {
        read_version(t, s, order, &source);
    }
    if (atomic && trace_step_writes(s)) {
        write_version(t, s, order, source);
    }
    return source;
}

static void pass_fence(trace *t, const trace_step *s) {
    trace_happens *h = t->happens;
    uint32_t thread = s->step.thread;
    if (acquires(s->order)) {
        add_all(&h->causes, &vector_at(&h->seen, thread));
    }
    if (releases(s->order)) {
        vector_at(&h->fences, thread) = execution_thread_events(&t->execution, thread) + 1;
    }
}

void trace_happens_append(trace *t) {
    trace_happens *h = t->happens;
    const trace_step *s = &vector_last(&t->steps);
    bool memory = operation_is_access(s->kind);
    CHECK(s->kind == h->pending.kind && h->messages.count == t->steps.count - 1);
    widen(h, s->step.thread);
    vector_push(&h->messages, (cause_list){0});
    vector_push(&h->sources, memory ? access_memory(t, s) : UINT32_MAX);
    if (operation_has_role(s->kind, ROLE_FENCES)) {
        pass_fence(t, s);
    } else if (operation_has_role(s->kind, ROLE_RESUMES)) {
        vector_clear(&h->causes); /* a signal orders nothing */
    }
    operation made = h->pending;
    made.footprint = memory || orders_nothing(s) ? FOOTPRINT_EMPTY : made.footprint;
    made.causes = h->causes.items;
    made.cause_count = h->causes.count;
    made.supply_count = 0;
    execution_append(&t->execution, s->step.thread, s->step.choice, &made);
}

uint32_t trace_happens_source(const trace *t, uint32_t index) {
    uint32_t source = t->happens ? vector_at(&t->happens->sources, index) : UINT32_MAX;
    bool own = source != UINT32_MAX &&
               vector_at(&t->steps, source).step.thread == vector_at(&t->steps, index).step.thread;
    return own ? UINT32_MAX : source;
}
