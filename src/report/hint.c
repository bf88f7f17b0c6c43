#include "report/hint.h"

#include <string.h>

#include "base/path.h"

enum {
    MOST_EVENTS = 2000000,
    MOST_SITES = 24,
    MOST_WIDENINGS = 6,
    MOST_OPTIONS = 10,
    MOST_AT_ONCE = 3
};

/* A place with an atomic access. */
typedef struct site {
    uint32_t location;
    uint8_t kind, order, failure;
    uint32_t first; /* the first of the same place in the source */
    bool overtaken; /* of the first: it has read an old value, or its own is not the latest */
} site;

typedef VECTOR(order_change) change_list;

typedef struct search {
    const hint_request *request;
    const found_error *error;
    VECTOR(site) sites;
    uint64_t budget; /* roughly how many events may still be executed */
    bool given_up;
    bool occurred; /* the error, in the latest attempt; if not, it may have been incomplete */
} search;

/* ---- one attempt ---- */

typedef struct attempt {
    sink sink; /* first */
    const found_error *error;
    bool found, other; /* the error; something that cannot be explored */
    step_list steps;   /* that led to it */
} attempt;

static void executed(sink *s, const exploration *x, enum target_ending ending) {
    (void)s, (void)x, (void)ending;
}

static void keep_steps(attempt *a, const execution *e) {
    for (uint32_t i = 0; i < execution_length(e); i++) {
        const event *taken = execution_event(e, i);
        vector_push(&a->steps, (step){taken->thread, taken->choice});
    }
}

static bool meet(sink *s, const exploration *x, const program_error *e) {
    attempt *a = (attempt *)s;
    found_error seen = {.kind = e->kind, .thread = e->thread, .location = e->location};
    text_append(&seen.message, e->message ? e->message : error_word(e->kind));
    if (error_is_stuck(seen.kind)) {
        found_error_collect_places(&seen, x->target);
    }
    a->other = a->other || e->kind == ERROR_UNSUPPORTED || e->kind == ERROR_UNFINISHED;
    a->found = found_error_equal(&seen, a->error);
    if (a->found) {
        keep_steps(a, &x->execution);
    }
    found_error_free(&seen);
    return !a->found && !a->other;
}

static const sink_class attempt_class = {.executed = executed, .error = meet};

static void add_sites(search *s, const step_list *steps);

/* Explores the program with the changes. True: everything was explored, and the error did not
 * occur. */
static bool prevents(search *s, enum memory_model model, const order_change *changes,
                     uint32_t count, bool widens) {
    const hint_request *r = s->request;
    attempt a = {.sink.class = &attempt_class, .error = s->error};
    exploration x;
    if (s->given_up) {
        return false;
    }
    r->target->class->change_orders(r->target, changes, count);
    exploration_init(&x, r->target, &a.sink);
    x.model = model;
    uint64_t longest = 10 * (uint64_t)s->error->steps.count + 1000;
    x.limits = (exploration_limits){.max_steps = longest < r->max_steps ? longest : r->max_steps,
                                    .stop_at_cut = true,
                                    .max_executions = s->budget / (s->error->steps.count + 1) + 1,
                                    .interrupt = r->interrupt};
    enum exploration_end end = exploration_run(&x, r->algorithm);
    s->budget -= x.events < s->budget ? x.events : s->budget;
    s->given_up = r->target->stale || !s->budget || (r->interrupt && *r->interrupt);
    bool complete = end == EXPLORATION_COMPLETE && !x.cut && !a.other;
    s->occurred = a.found;
    exploration_free(&x);
    if (widens && a.found && !s->given_up) {
        add_sites(s, &a.steps);
    }
    vector_free(&a.steps);
    return complete && !a.found && !s->given_up;
}

/* ---- places ---- */

static bool is_same_line(target *t, uint32_t a, uint32_t b) {
    const char *file, *other;
    uint32_t line, other_line;
    return t->class->describe_location(t, a, &file, &line) &&
           t->class->describe_location(t, b, &other, &other_line) && line == other_line &&
           strcmp(file, other) == 0;
}

static uint32_t column_of(target *t, uint32_t location) {
    return t->class->describe_column ? t->class->describe_column(t, location) : 0;
}

/* Two locations are one place of the source: the copies of a thread have their own. */
static bool is_same_place(target *t, uint32_t a, uint32_t b) {
    return a == b || (is_same_line(t, a, b) && t->class->describe_column &&
                      column_of(t, a) == column_of(t, b));
}

/* The site of the operation, or how many there are. */
static uint32_t find_site(const search *s, const operation *op) {
    uint32_t i = 0;
    while (i < s->sites.count && vector_at(&s->sites, i).location != op->location) {
        i++;
    }
    return i;
}

static void add_site(search *s, const operation *op, bool overtaken) {
    target *t = s->request->target;
    uint32_t at = find_site(s, op);
    if (at == s->sites.count && operation_is_access(op->kind) && at < MOST_SITES) {
        site added = {op->location, op->kind, op->order, op->failure, at, false};
        for (uint32_t i = s->sites.count; i-- > 0;) {
            const site *other = &vector_at(&s->sites, i);
            bool same = is_same_place(t, other->location, op->location) && other->kind == op->kind;
            added.first = same ? other->first : added.first;
        }
        vector_push(&s->sites, added);
    }
    if (at < s->sites.count) {
        uint32_t first = vector_at(&s->sites, at).first;
        vector_at(&s->sites, first).overtaken |= overtaken;
    }
}

typedef struct site_walk {
    step_range steps; /* first */
    search *search;
} site_walk;

static bool add_site_of(void *context, step next) {
    search *s = ((site_walk *)context)->search;
    const operation *op;
    /* If it is not possible, the target has learnt something. */
    s->given_up =
        s->given_up || target_find_obstacle(s->request->target, next, &op) != STEP_POSSIBLE;
    if (!s->given_up) {
        add_site(s, op, next.choice != CHOICE_NONE && next.choice > 0);
    }
    return !s->given_up;
}

/* Runs the program along the steps. */
static void add_sites(search *s, const step_list *steps) {
    static const step_hooks hooks = {.next = step_range_next, .before = add_site_of};
    target *t = s->request->target;
    t->class->reset(t);
    target_run(t, &hooks, &(site_walk){{steps->items, steps->items + steps->count}, s});
}

/* ---- changes ---- */

/* A compare-and-swap with a separate order for failure. */
static bool has_failure(const site *s) {
    return operation_has_role(s->kind, ROLE_COMPARES) &&
           !access_order_covers_failure(s->order, s->failure);
}

/* The order when it fails, up to what the order when it succeeds allows. */
static uint32_t add_failures(const site *s, order_change *options) {
    static const enum access_order orders[] = {ORDER_ACQUIRE, ORDER_SEQ_CST};
    enum access_order most = access_order_failing(s->order);
    uint32_t count = 0;
    for (uint32_t i = 0; has_failure(s) && i < sizeof orders / sizeof *orders; i++) {
        enum access_order order = orders[i];
        if (access_order_join(s->failure, order) == order && order != s->failure &&
            access_order_join(most, order) == most) {
            options[count++] =
                (order_change){.location = s->location, .order = (uint8_t)order, .failure = true};
        }
    }
    return count;
}

/* What can be tried at a place, from the weakest to the strongest. */
static uint32_t options_of(const site *s, bool fences, order_change *options) {
    static const enum access_order orders[] = {ORDER_ACQUIRE, ORDER_RELEASE, ORDER_ACQ_REL,
                                               ORDER_SEQ_CST};
    bool reads = operation_only_reads(s->kind);
    bool writes = !operation_has_role(s->kind, ROLE_READS);
    uint32_t count = add_failures(s, options);
    for (uint32_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        enum access_order order = orders[i];
        bool fits = (!writes || access_order_may_write(order)) &&
                    (!reads || access_order_may_read(order)) &&
                    access_order_join(s->order, order) == order && order != s->order;
        if (fits) {
            options[count++] = (order_change){.location = s->location, .order = (uint8_t)order};
        }
    }
    for (uint32_t i = 0; fences && i < sizeof orders / sizeof *orders; i++) {
        options[count++] =
            (order_change){.location = s->location, .order = (uint8_t)orders[i], .fence = true};
    }
    CHECK(count <= MOST_OPTIONS);
    return count;
}

/* The change at all locations of its place. */
static void push_change(const search *s, uint32_t first, order_change c, change_list *list) {
    for (uint32_t i = 0; i < s->sites.count; i++) {
        if (vector_at(&s->sites, i).first == first) {
            c.location = vector_at(&s->sites, i).location;
            vector_push(list, c);
        }
    }
}

/* The strongest changes that are possible at a place. */
static uint32_t strongest_of(const site *s, bool fences, order_change *all) {
    uint32_t count = 0;
    if (s->order != ORDER_SEQ_CST) {
        all[count++] = (order_change){.location = s->location, .order = ORDER_SEQ_CST};
    }
    if (has_failure(s)) {
        all[count++] =
            (order_change){.location = s->location, .order = ORDER_SEQ_CST, .failure = true};
    }
    if (fences) {
        all[count++] =
            (order_change){.location = s->location, .order = ORDER_SEQ_CST, .fence = true};
    }
    return count;
}

static void push_strongest(const search *s, uint32_t first, bool fences, change_list *list) {
    order_change all[MOST_AT_ONCE];
    uint32_t count = strongest_of(&vector_at(&s->sites, first), fences, all);
    for (uint32_t i = 0; i < count; i++) {
        push_change(s, first, all[i], list);
    }
}

static bool prevents_by_list(search *s, const change_list *list, bool widens) {
    return prevents(s, s->request->model, list->items, list->count, widens);
}

/* What is changed at each place: nothing, everything possible, or one thing. */
enum { PLACE_LEFT, PLACE_STRONGEST, PLACE_CHOSEN };

typedef struct plan {
    bool fences;
    bool forward; /* in which order places are left out, */
    bool by_role; /* those that were overtaken last */
    uint8_t use[MOST_SITES];
    order_change chosen[MOST_SITES];
    uint32_t count; /* of changes */
} plan;

static void gather(const search *s, const plan *p, change_list *out) {
    vector_clear(out);
    for (uint32_t i = 0; i < s->sites.count; i++) {
        if (vector_at(&s->sites, i).first != i) {
            continue;
        }
        if (p->use[i] == PLACE_STRONGEST) {
            push_strongest(s, i, p->fences, out);
        } else if (p->use[i] == PLACE_CHOSEN) {
            push_change(s, i, p->chosen[i], out);
        }
    }
}

static bool plan_prevents(search *s, const plan *p, bool widens) {
    change_list list = {0};
    gather(s, p, &list);
    bool good = prevents_by_list(s, &list, widens);
    vector_free(&list);
    return good;
}

/* The weakest single change at the place that is enough, if there is one. */
static bool weaken(search *s, plan *p, uint32_t i) {
    order_change options[MOST_OPTIONS];
    uint32_t count = options_of(&vector_at(&s->sites, i), p->fences, options);
    p->use[i] = PLACE_CHOSEN;
    for (uint32_t k = 0; k < count; k++) {
        p->chosen[i] = options[k];
        if (plan_prevents(s, p, false)) {
            return true;
        }
    }
    p->use[i] = PLACE_STRONGEST;
    return false;
}

static bool find_one(search *s, plan *p) {
    for (uint32_t i = 0; i < s->sites.count; i++) {
        *p = (plan){.fences = !s->request->target->spins, .count = 1};
        p->use[i] = vector_at(&s->sites, i).first == i ? PLACE_STRONGEST : PLACE_LEFT;
        if (p->use[i] && plan_prevents(s, p, false) && weaken(s, p, i)) {
            return true;
        }
    }
    return false;
}

/* Also includes accesses of further executions with the error. */
static bool find_enough(search *s, plan *p) {
    for (uint32_t i = 0; i < MOST_WIDENINGS; i++) {
        uint32_t before = s->sites.count;
        memset(p->use, PLACE_STRONGEST, sizeof p->use);
        if (plan_prevents(s, p, true)) {
            return true;
        }
        if (s->sites.count == before) {
            return false;
        }
    }
    return false;
}

/* Leaves out places as long as the others are enough. */
static void leave_out(search *s, plan *p) {
    uint32_t count = s->sites.count;
    for (uint32_t n = 0; n < 2 * count; n++) {
        uint32_t i = p->forward ? n % count : count - 1 - n % count;
        const site *at = &vector_at(&s->sites, i);
        if (at->first == i && (p->by_role && at->overtaken) == (n >= count)) {
            p->use[i] = PLACE_LEFT;
            p->use[i] = plan_prevents(s, p, false) ? PLACE_LEFT : PLACE_STRONGEST;
        }
    }
}

static bool find_several(search *s, plan *p) {
    if (!find_enough(s, p)) {
        return false;
    }
    leave_out(s, p);
    for (uint32_t i = 0; i < s->sites.count; i++) {
        if (vector_at(&s->sites, i).first == i && p->use[i]) {
            order_change all[MOST_AT_ONCE];
            p->count +=
                weaken(s, p, i) ? 1 : strongest_of(&vector_at(&s->sites, i), p->fences, all);
        }
    }
    return !s->given_up;
}

/* Orders alone, unless fewer changes are needed with fences; the places that were overtaken, unless
 * fewer are needed elsewhere. If one change is not enough, two are the fewest. */
static bool find_changes(search *s, plan *p) {
    bool any = find_one(s, p);
    /* A fence in a spin loop would be a step with an effect. */
    uint32_t ways = s->request->target->spins ? 2 : 4;
    for (uint32_t i = 0; i < 2 * ways && !(any && p->count <= 2); i++) {
        plan other = {.fences = i % ways >= 2, .forward = i % 2 == 1, .by_role = i < ways};
        if (find_several(s, &other) && (!any || other.count < p->count)) {
            *p = other;
            any = true;
        }
    }
    return any;
}

/* ---- words ---- */

/* Another place on its line has the same kind of access. */
static bool is_ambiguous(const search *s, const site *at) {
    for (uint32_t i = 0; i < s->sites.count; i++) {
        const site *other = &vector_at(&s->sites, i);
        if (other->first != at->first && other->kind == at->kind &&
            is_same_line(s->request->target, other->location, at->location)) {
            return true;
        }
    }
    return false;
}

static void describe_place(const search *s, const site *at, text *out) {
    target *t = s->request->target;
    const char *file;
    uint32_t line, column = column_of(t, at->location);
    if (t->class->describe_location(t, at->location, &file, &line)) {
        text_format(out, " at %s:%u", path_shown(file), line);
        if (column && is_ambiguous(s, at)) {
            text_format(out, ":%u", column);
        }
    }
}

/* "release in place of relaxed for the write at a.c:5" */
static void describe_change(const search *s, const site *at, order_change c, text *out) {
    const char *order = access_order_word(c.order);
    if (c.fence) {
        text_format(out, "%s %s fence before the %s", *order == 'a' ? "an" : "a", order,
                    operation_word(at->kind));
    } else {
        uint8_t old = c.failure ? at->failure : at->order;
        text_format(out, "%s in place of %s for the %s%s", order, access_order_word(old),
                    c.failure ? "failure of the " : "", operation_word(at->kind));
    }
    describe_place(s, at, out);
}

static void describe(const search *s, const plan *p, text *out) {
    const char *between = "Hint: this cannot happen with ";
    for (uint32_t i = 0; i < s->sites.count; i++) {
        const site *at = &vector_at(&s->sites, i);
        order_change all[MOST_AT_ONCE] = {p->chosen[i]};
        if (at->first != i || p->use[i] == PLACE_LEFT) {
            continue;
        }
        uint32_t count = p->use[i] == PLACE_CHOSEN ? 1 : strongest_of(at, p->fences, all);
        for (uint32_t k = 0; k < count; k++) {
            text_append(out, between);
            describe_change(s, at, all[k], out);
            between = " and with ";
        }
    }
    text_append(out, ".");
}

void hint_find(const hint_request *r, const found_error *f, text *out) {
    search s = {.request = r, .error = f, .budget = MOST_EVENTS};
    plan p;
    /* Races are judged by the orders of the program, under every model. */
    if (f->kind != ERROR_DATA_RACE && !prevents(&s, MODEL_SC, NULL, 0, false)) {
        text_append(out, s.occurred ? "Sequential consistency has this error, too: stronger memory "
                                      "orders do not prevent it."
                                    : "");
    } else {
        r->target->class->change_orders(r->target, NULL, 0);
        add_sites(&s, &f->steps);
        if (find_changes(&s, &p)) {
            describe(&s, &p, out);
        }
    }
    r->target->class->change_orders(r->target, NULL, 0);
    vector_free(&s.sites);
}
