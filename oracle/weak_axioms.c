/* The axioms of the memory models, as their papers have them: relations of events as rows of bits,
 * with nothing kept from one graph to the next. */
#include <string.h>

#include "oracle/weak_graph.h"

/* r[a] has bit b: a is related to b. */
typedef struct relation {
    uint32_t r[WEAK_EVENTS];
} relation;

typedef struct frame {
    const weak_graph *g;
    relation sb, threads, wakes, rf, co, fr; /* threads: creation and join */
} frame;

static bool holds(const relation *x, uint32_t a, uint32_t b) {
    return x->r[a] >> b & 1;
}

static void relate(relation *x, uint32_t a, uint32_t b) {
    x->r[a] |= 1u << b;
}

static relation unite(relation a, relation b) {
    for (uint32_t i = 0; i < WEAK_EVENTS; i++) {
        a.r[i] |= b.r[i];
    }
    return a;
}

static relation compose(relation a, relation b) {
    relation c = {{0}};
    for (uint32_t i = 0; i < WEAK_EVENTS; i++) {
        for (uint32_t j = 0; j < WEAK_EVENTS; j++) {
            c.r[i] |= holds(&a, i, j) ? b.r[j] : 0;
        }
    }
    return c;
}

static relation close(relation a) {
    for (uint32_t k = 0; k < WEAK_EVENTS; k++) {
        for (uint32_t i = 0; i < WEAK_EVENTS; i++) {
            a.r[i] |= holds(&a, i, k) ? a.r[k] : 0;
        }
    }
    return a;
}

static relation maybe(relation a) {
    for (uint32_t i = 0; i < WEAK_EVENTS; i++) {
        relate(&a, i, i);
    }
    return a;
}

static bool is_irreflexive(relation a) {
    for (uint32_t i = 0; i < WEAK_EVENTS; i++) {
        if (holds(&a, i, i)) {
            return false;
        }
    }
    return true;
}

static bool is_acyclic(relation a) {
    return is_irreflexive(close(a));
}

/* The pairs whose events are in the sets. */
static relation restrict_to(relation a, uint32_t from, uint32_t to) {
    for (uint32_t i = 0; i < WEAK_EVENTS; i++) {
        a.r[i] = from >> i & 1 ? a.r[i] & to : 0;
    }
    return a;
}

static relation identity(uint32_t set) {
    relation a = {{0}};
    for (uint32_t i = 0; i < WEAK_EVENTS; i++) {
        a.r[i] = set & 1u << i;
    }
    return a;
}

/* Plain accesses take no part but in happens-before: where they do not race, it orders them. */
static bool is_access(const weak_event *e) {
    return (e->reads || e->writes) && !e->plain;
}

/* ---- the relations of a graph ---- */

static bool creates_or_joins(const weak_event *a, const weak_event *b) {
    bool creates = a->creates && a->cell == b->thread;
    bool joins = b->kind == INSTRUCTION_JOIN && b->cell == a->thread;
    bool both = a->creates && b->kind == INSTRUCTION_JOIN && a->cell == b->cell;
    return creates || joins || both;
}

static uint32_t position_of(const weak_graph *g, uint32_t cell, uint32_t id) {
    for (uint32_t i = 0; i < g->cells[cell].count; i++) {
        if (g->cells[cell].writes[i] == id) {
            return i + 1;
        }
    }
    return 0;
}

static void relate_accesses(frame *f, uint32_t a, uint32_t b) {
    const weak_event *x = &f->g->events[a], *y = &f->g->events[b];
    if (a == b || !is_access(x) || !is_access(y) || x->cell != y->cell) {
        return;
    }
    uint32_t later = y->writes ? position_of(f->g, y->cell, b) : 0;
    if (x->writes && y->reads && y->source == a) {
        relate(&f->rf, a, b);
    }
    if (x->writes && y->writes && position_of(f->g, x->cell, a) < later) {
        relate(&f->co, a, b);
    }
    uint32_t source =
        x->reads && x->source != WEAK_INITIAL ? position_of(f->g, x->cell, x->source) : 0;
    if (x->reads && y->writes && source < later) {
        relate(&f->fr, a, b);
    }
}

static frame frame_of(const weak_graph *g) {
    frame f = {.g = g};
    for (uint32_t a = 0; a < g->count; a++) {
        for (uint32_t b = 0; b < g->count; b++) {
            const weak_event *x = &g->events[a], *y = &g->events[b];
            if (x->thread == y->thread && x->index < y->index) {
                relate(&f.sb, a, b);
            }
            if (a != b && creates_or_joins(x, y)) {
                relate(&f.threads, a, b);
            }
            if (y->waker == a + 1) {
                relate(&f.wakes, a, b);
            }
            relate_accesses(&f, a, b);
        }
    }
    return f;
}

/* A read-modify-write comes right after what it has read. */
static bool is_atomic(const frame *f) {
    return is_irreflexive(compose(f->fr, f->co));
}

static relation same_cell(const frame *f, relation a) {
    for (uint32_t i = 0; i < f->g->count; i++) {
        for (uint32_t j = 0; j < f->g->count; j++) {
            const weak_event *x = &f->g->events[i], *y = &f->g->events[j];
            if (!is_access(x) || !is_access(y) || x->cell != y->cell) {
                a.r[i] &= ~(1u << j);
            }
        }
    }
    return a;
}

/* ---- SC, TSO, RA ---- */

static bool is_sc(const frame *f) {
    return is_acyclic(
        unite(unite(unite(f->sb, f->wakes), f->threads), unite(f->rf, unite(f->co, f->fr))));
}

/* Something between them, or one of them, waits until stores are visible. */
static bool is_drained(const frame *f, uint32_t a, uint32_t b) {
    const weak_event *x = &f->g->events[a], *y = &f->g->events[b];
    bool drained = x->drains || y->drains;
    for (uint32_t i = 0; i < f->g->count; i++) {
        drained = drained || (f->g->events[i].drains && holds(&f->sb, a, i) && holds(&f->sb, i, b));
    }
    return drained;
}

static relation preserved(const frame *f) {
    relation kept = {{0}};
    for (uint32_t a = 0; a < f->g->count; a++) {
        for (uint32_t b = 0; b < f->g->count; b++) {
            const weak_event *x = &f->g->events[a], *y = &f->g->events[b];
            bool both = (is_access(x) || x->drains) && (is_access(y) || y->drains);
            bool late = x->writes && !x->reads && y->reads && !y->writes;
            if (holds(&f->sb, a, b) && both && (!late || is_drained(f, a, b))) {
                relate(&kept, a, b);
            }
        }
    }
    return kept;
}

static relation between_threads(const frame *f, relation a) {
    for (uint32_t i = 0; i < f->g->count; i++) {
        for (uint32_t j = 0; j < f->g->count; j++) {
            if (f->g->events[i].thread == f->g->events[j].thread) {
                a.r[i] &= ~(1u << j);
            }
        }
    }
    return a;
}

static bool is_tso(const frame *f) {
    relation memory = unite(f->co, f->fr);
    relation local = unite(same_cell(f, f->sb), unite(f->rf, memory));
    relation global = unite(unite(preserved(f), unite(f->wakes, f->threads)),
                            unite(between_threads(f, f->rf), memory));
    return is_acyclic(local) && is_acyclic(global);
}

static relation eco_of(const frame *f) {
    return close(unite(f->rf, unite(f->co, f->fr)));
}

static bool is_coherent(const frame *f, relation hb) {
    return is_irreflexive(hb) && is_irreflexive(compose(hb, eco_of(f)));
}

static bool is_ra(const frame *f) {
    return is_coherent(f, close(unite(unite(f->sb, f->wakes), unite(f->threads, f->rf))));
}

/* ---- RC11 ---- */

typedef bool event_test(const weak_event *);

static bool acquires(const weak_event *e) {
    return e->order == ORDER_ACQUIRE || e->order == ORDER_ACQ_REL || e->order == ORDER_SEQ_CST;
}

static bool releases(const weak_event *e) {
    return e->order == ORDER_RELEASE || e->order == ORDER_ACQ_REL || e->order == ORDER_SEQ_CST;
}

static bool is_acquire_read(const weak_event *e) {
    return e->reads && acquires(e);
}
static bool is_acquire_fence(const weak_event *e) {
    return e->fence && acquires(e);
}
static bool is_release_write(const weak_event *e) {
    return e->writes && releases(e);
}
static bool is_release_fence(const weak_event *e) {
    return e->fence && releases(e);
}
static bool is_update(const weak_event *e) {
    return e->reads && e->writes;
}
static bool is_read(const weak_event *e) {
    return e->reads;
}
static bool is_write(const weak_event *e) {
    return e->writes;
}
static bool is_sc_fence(const weak_event *e) {
    return e->fence && e->order == ORDER_SEQ_CST;
}
static bool is_sc_event(const weak_event *e) {
    return (e->fence || is_access(e)) && e->order == ORDER_SEQ_CST;
}

static uint32_t set_of(const frame *f, event_test *test) {
    uint32_t set = 0;
    for (uint32_t i = 0; i < f->g->count; i++) {
        set |= (uint32_t)test(&f->g->events[i]) << i;
    }
    return set;
}

/* sw = ([Wrel] | [Frel]; sb; [W]); (rf; [RMW])*; rf; ([Racq] | [R]; sb; [Facq]) */
static relation synchronises(const frame *f) {
    uint32_t all = UINT32_MAX;
    relation from = unite(identity(set_of(f, is_release_write)),
                          restrict_to(f->sb, set_of(f, is_release_fence), set_of(f, is_write)));
    relation sequence = maybe(close(restrict_to(f->rf, all, set_of(f, is_update))));
    relation to = unite(identity(set_of(f, is_acquire_read)),
                        restrict_to(f->sb, set_of(f, is_read), set_of(f, is_acquire_fence)));
    return compose(compose(compose(from, sequence), f->rf), to);
}

static bool is_no_plain(const weak_event *e) {
    return !e->plain;
}

static relation different_cells(const frame *f, relation a) {
    relation same = same_cell(f, a);
    for (uint32_t i = 0; i < WEAK_EVENTS; i++) {
        a.r[i] &= ~same.r[i];
    }
    return restrict_to(a, set_of(f, is_no_plain), set_of(f, is_no_plain));
}

static bool is_sequential(const frame *f, relation hb) {
    relation pod = different_cells(f, f->sb);
    relation scb = unite(unite(f->sb, compose(compose(pod, hb), pod)),
                         unite(same_cell(f, hb), unite(f->co, f->fr)));
    relation events = identity(set_of(f, is_sc_event)), fences = identity(set_of(f, is_sc_fence));
    relation left = unite(events, compose(fences, maybe(hb)));
    relation right = unite(events, compose(maybe(hb), fences));
    relation base = compose(compose(left, scb), right);
    relation far = unite(hb, compose(compose(hb, eco_of(f)), hb));
    return is_acyclic(unite(base, compose(compose(fences, far), fences)));
}

static relation happens_before(const frame *f) {
    return close(unite(unite(f->sb, f->threads), synchronises(f)));
}

bool weak_graph_happens(const weak_graph *g, uint32_t before, uint32_t after) {
    frame f = frame_of(g);
    relation hb = happens_before(&f);
    return holds(&hb, before, after);
}

static bool is_rc11(const frame *f) {
    relation hb = happens_before(f);
    relation causal = unite(unite(f->sb, f->wakes), unite(f->threads, f->rf));
    return is_acyclic(causal) && is_coherent(f, hb) && is_sequential(f, hb);
}

bool weak_graph_consistent(const weak_graph *g, enum memory_model model) {
    frame f = frame_of(g);
    if (!is_atomic(&f)) {
        return false;
    }
    switch (model) {
        case MODEL_SC: return is_sc(&f);
        case MODEL_TSO: return is_tso(&f);
        case MODEL_RA: return is_ra(&f);
        default: return is_rc11(&f);
    }
}
