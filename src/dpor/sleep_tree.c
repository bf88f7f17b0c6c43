#include "dpor/sleep_tree.h"

#include <string.h>

/* ---- sets of events: the least index per thread, or none ---- */

static bool set_before(const uint32_t *set, const uint32_t *clock, uint32_t stride) {
    return clock_exceeds(clock, set, stride);
}

static void set_add(uint32_t *set, uint32_t thread, uint32_t index) {
    DEBUG_CHECK(index < TREE_NO_INDEX && set[thread] <= TREE_NO_INDEX);
    set[thread] = set[thread] < index ? set[thread] : index;
}

static uint32_t *set_row(sleep_tree *t, uint32_t row) {
    return &vector_at(&t->sets, (size_t)row * t->stride);
}

uint32_t tree_add_set(sleep_tree *t) {
    uint32_t row = t->sets.count / t->stride;
    t->quiet = t->quiet && row == 0;
    vector_resize(&t->sets, t->sets.count + t->stride);
    for (uint32_t i = 0; i < t->stride; i++) {
        set_row(t, row)[i] = TREE_NO_INDEX;
    }
    return row;
}

/* Adds to a set, which is created with its first event. */
static void set_add_to(sleep_tree *t, uint32_t *row, const tree_event *g) {
    if (!*row) {
        *row = tree_add_set(t);
    }
    set_add(set_row(t, *row), g->thread, g->index);
}

static bool set_has_before(sleep_tree *t, uint32_t row, const tree_event *g) {
    return row && set_before(set_row(t, row), g->clock, t->stride);
}

/* ---- life ---- */

static void destroy(sleep_tree *t) {
    vector_free(&t->values);
    vector_free(&t->before);
    vector_free(&t->parts);
    vector_free(&t->items);
    vector_free(&t->sets);
    memory_resize(t, sizeof *t, 0);
}

void tree_pool_free(tree_pool *pool) {
    CHECK(pool->count == 0);
    tree_pool_trim(pool);
}

void tree_pool_trim(tree_pool *pool) {
    while (pool->free) {
        sleep_tree *t = pool->free;
        pool->free = t->next_free;
        destroy(t);
    }
}

static sleep_tree *take(tree_pool *pool) {
    sleep_tree *t = pool->free;
    if (t) {
        pool->free = t->next_free;
    } else {
        t = memory_resize(NULL, 0, sizeof *t);
    }
    pool->count++;
    t->references = 1;
    t->base_done = false;
    return t;
}

sleep_tree *tree_new(tree_pool *pool, uint32_t stride) {
    sleep_tree *t = take(pool);
    t->stride = stride;
    vector_clear(&t->values);
    vector_clear(&t->before);
    vector_clear(&t->parts);
    vector_clear(&t->items);
    vector_clear(&t->sets);
    tree_add_set(t);
    tree_add_part(t, 0, 0, NULL);
    t->quiet = true;
    return t;
}

#define vector_copy(to, from)                                                          \
    do {                                                                               \
        vector_resize((to), (from)->count);                                            \
        if ((from)->count) {                                                           \
            memcpy((to)->items, (from)->items, (from)->count * sizeof *(from)->items); \
        }                                                                              \
    } while (0)

sleep_tree *tree_copy(tree_pool *pool, const sleep_tree *from) {
    sleep_tree *t = take(pool);
    t->stride = from->stride;
    t->base_thread = from->base_thread;
    t->base_index = from->base_index;
    t->base_footprint = from->base_footprint;
    t->base_done = from->base_done;
    t->quiet = from->quiet;
    vector_copy(&t->values, &from->values);
    vector_copy(&t->before, &from->before);
    vector_copy(&t->parts, &from->parts);
    vector_copy(&t->items, &from->items);
    vector_copy(&t->sets, &from->sets);
    for (uint32_t i = 0; i < t->parts.count; i++) {
        if (vector_at(&t->parts, i).inherited) {
            vector_at(&t->parts, i).inherited = tree_copy(pool, vector_at(&t->parts, i).inherited);
        }
    }
    return t;
}

void tree_release(tree_pool *pool, sleep_tree *t) {
    CHECK(t->references > 0);
    if (--t->references) {
        return;
    }
    for (uint32_t i = 0; i < t->parts.count; i++) {
        if (vector_at(&t->parts, i).inherited) {
            tree_release(pool, vector_at(&t->parts, i).inherited);
        }
    }
    CHECK(pool->count > 0);
    pool->count--;
    t->next_free = pool->free;
    pool->free = t;
}

static void check_part(const sleep_tree *t, uint32_t i, uint32_t rows) {
    const tree_part *part = &vector_at(&t->parts, i);
    CHECK(part->end >= (i ? vector_at(&t->parts, i - 1).end : 0));
    CHECK(part->end <= t->items.count && part->heads < rows);
    if (part->inherited) {
        CHECK(i > 0 && part->inherited != t && part->inherited->references == 1);
        tree_check(part->inherited);
    }
}

void tree_check(const sleep_tree *t) {
    CHECK(t->references > 0 && t->stride && t->stride % CLOCK_LANE == 0);
    CHECK(t->sets.count && t->sets.count % t->stride == 0);
    uint32_t rows = t->sets.count / t->stride;
    CHECK(t->parts.count && vector_last(&t->parts).end == t->items.count);
    CHECK(!t->quiet || (t->parts.count == 1 && rows == 1 && !t->values.count && !t->before.count));
    for (uint32_t i = 0; i < t->parts.count; i++) {
        check_part(t, i, rows);
    }
    for (uint32_t i = 0; i < t->items.count; i++) {
        const tree_item *item = &vector_at(&t->items, i);
        CHECK(item->tainted < rows && item->index < TREE_NO_INDEX);
        CHECK(item->thread != t->base_thread || item->index > t->base_index);
    }
    for (uint32_t i = 0; i < t->before.count; i++) {
        uint32_t item = vector_at(&t->before, i).item;
        CHECK(item == TREE_BASE || item < t->items.count);
    }
    for (uint32_t i = 0; i < t->sets.count; i++) {
        CHECK(vector_at(&t->sets, i) <= TREE_NO_INDEX);
    }
}

/* ---- building ---- */

void tree_set_base(sleep_tree *t, const event *base) {
    t->base_thread = base->thread;
    t->base_index = base->index;
    t->base_footprint = base->footprint;
}

void tree_add_value(sleep_tree *t, uint32_t object, uint64_t value) {
    for (uint32_t i = 0; i < t->values.count; i++) {
        if (vector_at(&t->values, i).object == object) {
            return;
        }
    }
    vector_push(&t->values, (tree_value){TREE_BASE, object, value});
    t->quiet = false;
}

void tree_add_before(sleep_tree *t, bool base, uint32_t object, uint64_t value) {
    CHECK(base || t->items.count);
    uint32_t item = base ? TREE_BASE : t->items.count - 1;
    vector_push(&t->before, (tree_value){item, object, value});
    t->quiet = false;
}

void tree_add_part(sleep_tree *t, uint32_t head_thread, uint32_t head_index,
                   sleep_tree *inherited) {
    CHECK(!inherited || (inherited != t && inherited->references == 1));
    vector_push(&t->parts, (tree_part){.head_thread = head_thread,
                                       .head_index = head_index,
                                       .inherited = inherited,
                                       .end = t->items.count});
    t->quiet = false;
}

void tree_add_item(sleep_tree *t, const event *e) {
    vector_push(&t->items, (tree_item){.thread = e->thread,
                                       .index = e->index,
                                       .choice = e->choice,
                                       .footprint = e->footprint});
    vector_last(&t->parts).end = t->items.count;
    t->quiet = t->quiet && tree_step_is_quiet(e->flags, e->choice, e->footprint);
}

void tree_add_blocked(sleep_tree *t, const event *e) {
    tree_add_item(t, e);
    vector_last(&t->items).blocked = true;
    t->quiet = false;
}

void tree_add_related(sleep_tree *t, uint32_t thread, uint32_t index) {
    set_add(set_row(t, 0), thread, index);
}

/* ---- updating ---- */

/* The event's footprint if the base had happened just before it ("its type after e"): only a
 * compare-and-swap on an object of the base can differ. */
static footprint after_base(const sleep_tree *t, const tree_event *g) {
    for (uint32_t i = 0; !footprint_is_set(g->footprint) && i < t->values.count; i++) {
        const tree_value *v = &vector_at(&t->values, i);
        if (v->object == footprint_access(g->footprint, 0).object) {
            return tree_footprint_at(g->kind, g->footprint, g->expected, v->value);
        }
    }
    return g->footprint;
}

static bool is_item(const tree_item *item, const tree_event *g) {
    return item->thread == g->thread && item->index == g->index;
}

static bool has_before(uint32_t thread, uint32_t index, const tree_event *g) {
    return g->clock[thread] > index;
}

/* The step could be taken if its object held that value. */
static bool is_open(const tree_event *g, uint64_t value) {
    return g->condition ? g->condition->holds(g->condition, value)
                        : operation_compare_holds(g->compare, value, g->expected);
}

/* An await could not have continued just before that item (or the base), which writes its object:
 * it is not moved there. */
static bool await_is_closed(const sleep_tree *t, uint32_t item, const tree_event *g) {
    if (!operation_has_role(g->kind, ROLE_AWAITS) && !g->condition) {
        return false;
    }
    for (uint32_t i = 0; i < t->before.count; i++) {
        const tree_value *v = &vector_at(&t->before, i);
        if (v->item == item && v->object == (uint32_t)g->footprint) {
            return !is_open(g, v->value);
        }
    }
    return false;
}

/* The first item of a segment that g runs into: g conflicts with the item, happens after something
 * that did, or is the item. False: there is none. */
static bool meets_item(sleep_tree *t, uint32_t from, uint32_t to, const tree_event *g,
                       footprint g_after, bool related) {
    for (uint32_t i = from; i < to; i++) {
        tree_item *item = &vector_at(&t->items, i);
        bool same = is_item(item, g);
        /* If two steps of spin loops could be taken before the base, neither comes after the
         * other. */
        footprint of_g = item->blocked && g->condition ? g->footprint : g_after;
        bool conflict =
            same ? item->choice != g->choice
                 : item->thread != g->thread && footprint_conflict(of_g, item->footprint);
        if (conflict && !(item->done && has_before(item->thread, item->index, g)) &&
            !(related && await_is_closed(t, i, g))) {
            if (!item->done) {
                set_add_to(t, &item->tainted, g);
            }
            return true;
        }
        if (!item->done && set_has_before(t, item->tainted, g)) {
            set_add_to(t, &item->tainted, g);
            return true;
        }
        if (same) {
            item->done = true;
            return true;
        }
    }
    return false;
}

/* Threads may have appeared since the tree was built. */
static void widen(sleep_tree *t, uint32_t thread) {
    uint32_t stride = clock_stride(thread + 1), row_count = t->sets.count / t->stride;
    CHECK(stride > t->stride);
    vector_resize(&t->sets, row_count * stride);
    lanes_widen(t->sets.items, row_count, t->stride, stride, TREE_NO_INDEX);
    t->stride = stride;
}

static bool update(sleep_tree *, const tree_event *, bool top);

/* Case (C) of Proposition 1: g is, or happens after, the head of a schedule that the part's
 * inherited tree forbids. D is tested before it grows. */
static bool completes_inherited(sleep_tree *t, tree_part *part, const tree_event *g) {
    bool hit = update(part->inherited, g, false);
    bool completes = hit || set_has_before(t, part->heads, g);
    if (hit) {
        set_add_to(t, &part->heads, g);
    }
    return completes;
}

/* g is the head of a schedule that comes before this one: contained in the items, in conflict with
 * them, or inherited. It has to happen after the heads before that (freshness). */
static bool is_candidate(sleep_tree *t, const tree_event *g, footprint g_after, bool related) {
    bool heads = true, candidate = false;
    for (uint32_t i = 0; i < t->parts.count; i++) {
        tree_part *part = &vector_at(&t->parts, i);
        if (part->inherited && completes_inherited(t, part, g)) {
            candidate |= related && heads;
        }
        heads = heads && (i == 0 || has_before(part->head_thread, part->head_index, g));
        uint32_t from = i ? vector_at(&t->parts, i - 1).end : 0;
        if (meets_item(t, from, part->end, g, g_after, related)) {
            return candidate || (related && heads);
        }
    }
    return candidate;
}

/* The item for the event, if that has not occurred. */
static bool has_item(const sleep_tree *t, const tree_event *g) {
    for (uint32_t i = 0; i < t->items.count; i++) {
        const tree_item *item = &vector_at_fast(&t->items, i);
        if (is_item(item, g)) {
            return !item->done;
        }
    }
    return false;
}

/* Steps that only read run into no item except their own. */
bool tree_forbids(const sleep_tree *t, const tree_event *g) {
    const uint32_t *met = t->sets.items;
    DEBUG_CHECK(t->quiet && !t->base_done && tree_step_is_quiet(0, g->choice, g->footprint));
    return g->thread != t->base_thread && footprint_conflict(g->footprint, t->base_footprint) &&
           has_item(t, g) && !set_before(met, g->clock, t->stride);
}

bool tree_is_covered(const sleep_tree *t, const sleep_tree *other, const tree_event *head) {
    const uint32_t *met = t->sets.items;
    uint32_t at = 0, count = other->items.count;
    DEBUG_CHECK(t->base_thread == other->base_thread && t->base_index == other->base_index);
    if (!t->quiet || !other->quiet) {
        return false;
    }
    for (uint32_t i = 0; i < t->items.count; i++) {
        const tree_item *item = &vector_at_fast(&t->items, i);
        if (item->done || has_before(item->thread, item->index, head) ||
            met[item->thread] == item->index) {
            continue; /* it has occurred */
        }
        while (at < count && (vector_at_fast(&other->items, at).thread != item->thread ||
                              vector_at_fast(&other->items, at).index != item->index)) {
            at++;
        }
        if (at++ >= count) {
            return false;
        }
    }
    return true;
}

static bool update(sleep_tree *t, const tree_event *g, bool top) {
    if (g->thread >= t->stride) {
        widen(t, g->thread);
    }
    if (g->thread == t->base_thread && g->index == t->base_index) {
        tree_add_related(t, g->thread, g->index);
        t->base_done = true;
        return false;
    }
    if (t->base_done && (top || has_before(t->base_thread, t->base_index, g))) {
        return false;
    }
    footprint g_after = after_base(t, g);
    bool related = g->thread != t->base_thread && footprint_conflict(g_after, t->base_footprint) &&
                   !await_is_closed(t, TREE_BASE, g);
    bool candidate = is_candidate(t, g, g_after, related);
    if (!related) {
        return false;
    }
    uint32_t *met = set_row(t, 0);
    bool hit = candidate && !set_before(met, g->clock, t->stride);
    set_add(met, g->thread, g->index);
    return hit;
}

bool tree_update(sleep_tree *t, const tree_event *g) {
    return update(t, g, true);
}

void tree_advance(sleep_tree *t, const tree_event *g) {
    update(t, g, false);
}
