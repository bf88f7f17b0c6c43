#include "report/doom.h"

#include "report/continuations.h"

/* A step that can be taken somewhere, and what it accesses there. */
typedef struct candidate {
    step step;
    footprint footprint;
    bool varies; /* what it accesses depends on the state: it commutes with nothing */
} candidate;

/* A node of the path, with the candidates [first, first + count) of the pool, of which `next` have
 * been tried. */
typedef struct node {
    uint32_t first, count;
    uint32_t next;
} node;

typedef struct search {
    rerun *rerun;
    const step *prefix;
    uint32_t prefix_length;
    VECTOR(node) path;
    VECTOR(candidate) pool; /* of the nodes on the path, one after the other */
    VECTOR(candidate) sleeping;
} search;

enum {
    MOST_DEPTH = 20000,
    FAIR_DEPTH = 200, /* from there on threads take turns, so that a thread that only waits does not
                         run forever */
};

static bool is_independent(const candidate *a, const candidate *b) {
    return a->step.thread != b->step.thread && !a->varies && !b->varies &&
           !footprint_conflict(a->footprint, b->footprint);
}

static bool is_asleep(const search *s, step taken) {
    for (uint32_t i = 0; i < s->sleeping.count; i++) {
        step other = vector_at(&s->sleeping, i).step;
        if (other.thread == taken.thread && other.choice == taken.choice) {
            return true;
        }
    }
    return false;
}

/* Makes the sleep set after the node's last candidate: the candidates that were tried before it and
 * those that slept already, unless it wakes them. Returns its step. */
static step take_last_tried(search *s, const node *here) {
    uint32_t kept = 0;
    CHECK(here->next > 0 && here->next <= here->count);
    candidate taken = vector_at(&s->pool, here->first + here->next - 1);
    for (uint32_t i = 0; i < s->sleeping.count; i++) {
        if (is_independent(&vector_at(&s->sleeping, i), &taken)) {
            vector_at(&s->sleeping, kept++) = vector_at(&s->sleeping, i);
        }
    }
    vector_resize(&s->sleeping, kept);
    for (uint32_t i = 0; i + 1 < here->next; i++) {
        candidate tried = vector_at(&s->pool, here->first + i);
        if (is_independent(&tried, &taken)) {
            vector_push(&s->sleeping, tried);
        }
    }
    return taken.step;
}

/* Makes a node of the steps that can be taken here; false if there are none. `redundant`: all of
 * them sleep. */
static bool enter_node(search *s, bool *redundant) {
    target *t = s->rerun->target;
    node made = {.first = s->pool.count};
    bool enabled = false;
    uint32_t count = t->class->thread_count(t);
    uint32_t offset = s->path.count > FAIR_DEPTH ? s->path.count : 0;
    for (uint32_t n = 0; n < count; n++) {
        uint32_t thread = (n + offset) % count;
        const operation *o = t->class->pending(t, thread);
        if (!o || !operation_enabled(o)) {
            continue;
        }
        enabled = true;
        for (uint32_t i = 0; i < operation_alternatives(o); i++) {
            candidate c = {.step = {thread, operation_choice(o, i)}, .footprint = o->footprint};
            c.varies = (o->flags & OPERATION_VARIES) != 0;
            if (!is_asleep(s, c.step)) {
                vector_push(&s->pool, c);
            }
        }
    }
    made.count = s->pool.count - made.first;
    *redundant = enabled && made.count == 0;
    if (made.count) {
        vector_push(&s->path, made);
    }
    return made.count != 0;
}

typedef struct descent {
    search *search;
    enum answer answer;
} descent;

/* The next candidate of the last node. */
static bool next_candidate(void *context, step *next) {
    search *s = ((descent *)context)->search;
    node *here = &vector_last(&s->path);
    here->next++;
    *next = take_last_tried(s, here);
    return true;
}

static bool go_on(void *context, const program_error *error) {
    descent *d = context;
    search *s = d->search;
    bool redundant;
    if (s->path.count > MOST_DEPTH) {
        return false;
    }
    if (rerun_has_kind(s->rerun, error)) {
        d->answer = ANSWER_DOOMED;
        return false;
    }
    if (!enter_node(s, &redundant)) {
        d->answer = redundant || !rerun_ended_well(s->rerun) ? ANSWER_DOOMED : ANSWER_AVOIDABLE;
        return false;
    }
    return true;
}

/* Runs on from the last node along first candidates, to an end. */
static enum answer run_to_end(search *s) {
    static const rerun_hooks hooks = {next_candidate, go_on};
    descent d = {s, ANSWER_UNKNOWN};
    rerun_run(s->rerun, &hooks, &d);
    return d.answer;
}

typedef struct way_back {
    search *search;
    uint32_t taken; /* steps of the prefix, then of the path */
} way_back;

/* Of the prefix, then the candidates that were taken up to the last node. */
static bool next_on_way_back(void *context, step *next) {
    way_back *w = context;
    search *s = w->search;
    uint32_t i = w->taken++;
    if (i < s->prefix_length) {
        *next = s->prefix[i];
        return true;
    }
    i -= s->prefix_length;
    if (i + 1 >= s->path.count) {
        return false;
    }
    *next = take_last_tried(s, &vector_at(&s->path, i));
    return true;
}

/* Brings the target to the state after the prefix and the candidates that were taken up to the last
 * node, and recomputes the sleep set there. */
static bool return_to_node(search *s) {
    static const rerun_hooks hooks = {.next = next_on_way_back};
    s->rerun->target->class->reset(s->rerun->target);
    vector_clear(&s->sleeping);
    return rerun_run(s->rerun, &hooks, &(way_back){s, 0});
}

/* Removes nodes that have nothing left; false if no node is left. */
static bool backtrack(search *s) {
    while (s->path.count) {
        const node *last = &vector_last(&s->path);
        if (last->next < last->count) {
            return true;
        }
        vector_resize(&s->pool, last->first);
        (void)vector_pop(&s->path);
    }
    return false;
}

static enum answer ask(search *s, uint32_t length) {
    bool redundant;
    vector_clear(&s->path);
    vector_clear(&s->pool);
    s->prefix_length = length;
    if (!return_to_node(s)) {
        return ANSWER_UNKNOWN;
    }
    if (!enter_node(s, &redundant)) {
        return rerun_ended_well(s->rerun) ? ANSWER_AVOIDABLE : ANSWER_DOOMED;
    }
    for (;;) {
        enum answer answer = run_to_end(s);
        if (answer != ANSWER_DOOMED) {
            return answer;
        }
        if (!backtrack(s)) {
            return ANSWER_DOOMED;
        }
        if (!return_to_node(s)) {
            return ANSWER_UNKNOWN;
        }
    }
}

/* Each query gets a share of the remaining budget, so that one that cannot be answered leaves some
 * for others. */
static enum answer ask_within(search *s, uint32_t length) {
    uint64_t left = s->rerun->budget, share = left / 4 + 1;
    s->rerun->budget = share < left ? share : left;
    uint64_t allowed = s->rerun->budget;
    enum answer answer = s->rerun->given_up ? ANSWER_UNKNOWN
                         : s->rerun->target->versions
                             ? continuations_ask(s->rerun, s->prefix, length)
                             : ask(s, length);
    s->rerun->budget = left - (allowed - s->rerun->budget);
    return answer;
}

/* The first doomed length; `length` is doomed. Goes backwards in growing strides, then bisects. */
static uint32_t find(search *s, uint32_t length) {
    uint32_t doomed = length, lowest = 0; /* lengths below `lowest` are not doomed, or not known */
    bool sure = true;                     /* the length right below `lowest` is avoidable */
    for (uint32_t stride = 1; doomed > 0 && !lowest; stride *= 2) {
        uint32_t tried = doomed > stride ? doomed - stride : 0;
        enum answer answer = ask_within(s, tried);
        if (answer == ANSWER_DOOMED) {
            doomed = tried;
        } else {
            sure = answer == ANSWER_AVOIDABLE;
            lowest = tried + 1;
        }
    }
    while (lowest < doomed) {
        uint32_t middle = lowest + (doomed - lowest) / 2;
        enum answer answer = ask_within(s, middle);
        if (answer == ANSWER_DOOMED) {
            doomed = middle;
        } else {
            sure = answer == ANSWER_AVOIDABLE;
            lowest = middle + 1;
        }
    }
    return sure ? doomed : FINDING_NO_STEP;
}

uint32_t doom_find(rerun *r, const found_error *f) {
    search s = {.rerun = r, .prefix = f->steps.items};
    uint32_t found = f->steps.count ? find(&s, f->steps.count) : FINDING_NO_STEP;
    vector_free(&s.path);
    vector_free(&s.pool);
    vector_free(&s.sleeping);
    return r->given_up ? FINDING_NO_STEP : found;
}
