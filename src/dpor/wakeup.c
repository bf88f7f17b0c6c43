#include "dpor/wakeup.h"

void wakeup_init(wakeup_forest *f) {
    *f = (wakeup_forest){.free = WAKEUP_NONE};
}

void wakeup_free(wakeup_forest *f) {
    vector_free(&f->nodes);
}

uint32_t wakeup_new(wakeup_forest *f, uint32_t thread, uint32_t choice, footprint footprint) {
    uint32_t node = f->free;
    if (node == WAKEUP_NONE) {
        node = f->nodes.count;
        vector_resize(&f->nodes, node + 1);
    } else {
        f->free = vector_at(&f->nodes, node).next_sibling;
    }
    vector_at(&f->nodes, node) = (wakeup_node){.thread = thread,
                                               .choice = choice,
                                               .footprint = footprint,
                                               .first_child = WAKEUP_NONE,
                                               .last_child = WAKEUP_NONE,
                                               .next_sibling = WAKEUP_NONE};
    f->used++;
    return node;
}

void wakeup_append(wakeup_forest *f, uint32_t parent, uint32_t child) {
    DEBUG_CHECK(parent != child && wakeup_at(f, child)->next_sibling == WAKEUP_NONE);
    wakeup_node *p = &vector_at(&f->nodes, parent);
    DEBUG_CHECK((p->first_child == WAKEUP_NONE) == (p->last_child == WAKEUP_NONE));
    if (p->first_child == WAKEUP_NONE) {
        p->first_child = child;
    } else {
        vector_at(&f->nodes, p->last_child).next_sibling = child;
    }
    p->last_child = child;
}

void wakeup_drop_first(wakeup_forest *f, uint32_t parent) {
    wakeup_node *p = &vector_at(&f->nodes, parent);
    uint32_t child = p->first_child;
    CHECK(child != WAKEUP_NONE);
    wakeup_node *c = &vector_at(&f->nodes, child);
    CHECK(c->first_child == WAKEUP_NONE);
    p->first_child = c->next_sibling;
    if (p->first_child == WAKEUP_NONE) {
        p->last_child = WAKEUP_NONE;
    }
    c->next_sibling = f->free;
    f->free = child;
    CHECK(f->used > 0);
    f->used--;
}

void wakeup_prune(wakeup_forest *f, uint32_t node) {
    /* The children of each child are moved up until there are none: no recursion. */
    while (wakeup_at(f, node)->first_child != WAKEUP_NONE) {
        wakeup_node *child = &vector_at(&f->nodes, wakeup_at(f, node)->first_child);
        if (child->first_child != WAKEUP_NONE) {
            vector_at(&f->nodes, child->last_child).next_sibling = child->next_sibling;
            if (child->next_sibling == WAKEUP_NONE) {
                vector_at(&f->nodes, node).last_child = child->last_child;
            }
            child->next_sibling = child->first_child;
            child->first_child = child->last_child = WAKEUP_NONE;
        }
        wakeup_drop_first(f, node);
    }
}

/* The first child of `node` that is a weak initial. */
static uint32_t find_child(const wakeup_forest *f, uint32_t node, wakeup_weak_initial *is_initial,
                           void *context) {
    uint32_t child = wakeup_at(f, node)->first_child;
    while (child != WAKEUP_NONE && !is_initial(context, wakeup_at(f, child))) {
        child = wakeup_at(f, child)->next_sibling;
    }
    return child;
}

static bool is_leaf(const wakeup_forest *f, uint32_t node) {
    return wakeup_at(f, node)->first_child == WAKEUP_NONE;
}

static uint32_t grow(wakeup_forest *f, uint32_t node, sleeper step) {
    uint32_t added = wakeup_new(f, step.thread, step.choice, step.footprint);
    wakeup_append(f, node, added);
    return added;
}

/* Whether the child is a weak initial of what is left of v; if v contains it, it is removed from
 * v. */
static bool enter(void *context, const wakeup_node *child) {
    reversal *r = context;
    enum initial initial = reversal_initial(r, child->thread, child->choice, child->footprint);
    if (initial == INITIAL_INSIDE) {
        reversal_remove(r, child->thread);
    }
    return initial != INITIAL_NOT;
}

bool wakeup_insert(wakeup_forest *f, uint32_t root, reversal *r) {
    uint32_t node = root;
    for (uint32_t child; (child = find_child(f, node, enter, r)) != WAKEUP_NONE; node = child) {
        if (is_leaf(f, child)) {
            return false;
        }
    }
    uint32_t at = 0, position;
    DEBUG_CHECK(r->last_left || reversal_left(r, &(uint32_t){0}, &position));
    while (reversal_left(r, &at, &position)) {
        node = grow(f, node,
                    position == POSITION_NONE
                        ? (sleeper){r->last_thread, r->last_choice, r->last_footprint}
                        : sequence_step_of(execution_event(r->execution, position)));
    }
    return true;
}

wakeup_end wakeup_insert_steps(wakeup_forest *f, uint32_t root, step_sequence *steps,
                               wakeup_weak_initial *is_initial, void *context) {
    wakeup_end end = {.node = root};
    for (uint32_t child; (child = find_child(f, end.node, is_initial, context)) != WAKEUP_NONE;) {
        end.node = child;
        end.independent |= !sequence_remove(steps, wakeup_at(f, child)->thread);
        if (is_leaf(f, child)) {
            return end;
        }
    }
    for (uint32_t i = 0; i < steps->count; i++) {
        end.node = grow(f, end.node, vector_at(steps, i));
    }
    return end;
}

/* Siblings are different steps, and the parent has the first and the last of them. Returns the
 * number of nodes below. */
static uint32_t check_children(const wakeup_forest *f, uint32_t parent) {
    uint32_t child = wakeup_at(f, parent)->first_child, last = WAKEUP_NONE, count = 0;
    for (; child != WAKEUP_NONE; child = wakeup_at(f, child)->next_sibling) {
        CHECK(child != parent && count < f->used);
        uint32_t other = wakeup_at(f, child)->next_sibling;
        for (; other != WAKEUP_NONE; other = wakeup_at(f, other)->next_sibling) {
            CHECK(wakeup_at(f, other)->thread != wakeup_at(f, child)->thread ||
                  wakeup_at(f, other)->choice != wakeup_at(f, child)->choice);
        }
        last = child;
        count++;
    }
    CHECK(wakeup_at(f, parent)->last_child == last);
    return count;
}

void wakeup_check(const wakeup_forest *f, uint32_t root) {
    CHECK(f->used <= f->nodes.count);
    CHECK((f->free == WAKEUP_NONE) == (f->used == f->nodes.count));
    CHECK(f->free == WAKEUP_NONE || f->free < f->nodes.count);
    check_children(f, root);
    for (uint32_t node = root; !is_leaf(f, node); node = wakeup_at(f, node)->last_child) {
        check_children(f, node);
    }
}
